import HeavyliftModel

/// A property to be copied by name must exist in the source.
struct NothingToCopy: MappingRule {
  struct Mistake: MappingMistake {
    static let code = "mapping.nothing-to-copy"
    var property: PropertyMappingFact
    /// The source entity; nil if the mapping has none.
    var source: (name: String, number: Int)?
    var location: DiagnosticLocation?
  }

  func mistakes(in mapping: MappingIndex) -> [Mistake] {
    mapping.properties.compactMap { property in
      guard property.hasNothingToCopy(in: mapping) else { return nil }
      let source = property.owner.source.map { (mapping.source.model.entities[$0].name, $0) }
      return Mistake(property: property, source: source, location: property.location(of: "name"))
    }
  }
}

extension NothingToCopy.Mistake {
  var severity: Diagnostic.Severity { .error }

  var problem: String {
    let start = "\(property.place) cannot be copied by name"
    guard let source else { return "\(start): the entity mapping has no source entity" }
    let kind = property.property.kind
    return "\(start): source entity \(source.name.quotedName) has no \(kind) \(property.property.name.quotedName)"
  }

  func remedy(_ names: MappingNames) -> String? {
    guard let source else { return "write a 'value', or remove it" }
    let attribute = property.complete.kind == .attribute ? "value" : "from"
    let known = names.source.propertyNames(of: source.number).filter {
      mappingKind(of: $0, names) == property.complete.kind
    }
    guard let near = known.nearest(to: property.property.name) else {
      return "write a '\(attribute)'" + (property.mustHaveValue ? "" : ", or 'copy=\"no\"'")
    }
    return "did you mean '\(attribute)=\"$source.\(near)\"'?"
  }

  private func mappingKind(of name: String, _ names: MappingNames) -> PropertyMappingDescription.Kind? {
    source.flatMap { names.mapping.source.property(named: name, of: $0.number)?.property.mappingKind }
  }
}
