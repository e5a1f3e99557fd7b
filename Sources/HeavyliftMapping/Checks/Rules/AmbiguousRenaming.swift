import HeavyliftModel

/// A new property with a renaming identifier gets the values of the old property, or says where its values come from.
struct AmbiguousRenaming: MappingRule {
  struct Mistake: MappingMistake {
    static let code = "mapping.ambiguous-renaming"
    var property: PropertyMappingFact
    var identifier: String
    var location: DiagnosticLocation?
  }

  func mistakes(in mapping: MappingIndex) -> [Mistake] {
    mapping.properties.compactMap { property in
      guard property.written == nil, !property.owner.isCustom,
        mapping.facts.copying(property.owner) == .everything,
        case .notInSource? = property.unmappedReason,
        let identifier = property.property.renamingIdentifier, let entity = property.owner.source,
        let old = mapping.source.property(named: identifier, of: entity)?.property, old.isWritable,
        old.identity == identifier, old.mappingKind == property.property.mappingKind
      else { return nil }
      return Mistake(property: property, identifier: identifier, location: property.location(of: "name"))
    }
  }
}

extension AmbiguousRenaming.Mistake {
  var severity: Diagnostic.Severity { .error }

  var problem: String {
    "\(property.place) has renaming identifier \(identifier.quotedName), but another property gets the values of "
      + identifier.quotedName
  }

  func remedy(_ names: MappingNames) -> String? {
    let kind = property.complete.kind.rawValue
    let name = property.property.name
    let value = property.complete.kind == .attribute ? "value" : "from"
    return "write '<\(kind) name=\"\(name)\" \(value)=\"$source.\(identifier)\"/>' if it was renamed, or "
      + "'<\(kind) name=\"\(name)\" copy=\"no\"/>' if it is new"
  }
}
