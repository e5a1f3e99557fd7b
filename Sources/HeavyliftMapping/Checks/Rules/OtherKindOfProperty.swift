import HeavyliftModel

/// An attribute must not be copied into a relationship of the same name, nor the other way around.
struct OtherKindOfProperty: MappingRule {
  struct Mistake: MappingMistake {
    static let code = "mapping.other-kind-of-property"
    var property: PropertyMappingFact
    var source: PropertyReference
    var entity: String
    var isListed: Bool
    var location: DiagnosticLocation?
  }

  func mistakes(in mapping: MappingIndex) -> [Mistake] {
    mapping.properties.compactMap { property in
      guard case .otherKind(let name)? = property.unmappedReason, !property.owner.isCustom,
        let entity = property.owner.source,
        let source = mapping.source.property(named: name, of: entity)?.property, source.mappingKind != nil
      else { return nil }
      let copying = property.owner.description.copying ?? mapping.complete.mappingModel.copying
      return Mistake(
        property: property, source: source, entity: mapping.source.model.entities[entity].name,
        isListed: copying == .listed, location: property.location(of: "name"))
    }
  }
}

extension OtherKindOfProperty.Mistake {
  // Xcode's mappings list every property, so this may be intended there.
  var severity: Diagnostic.Severity { isListed && property.property.mayBeMissing ? .warning : .error }

  var problem: String {
    "\(property.place) gets nothing: \(source.name.quotedName) of source entity \(entity.quotedName) is "
      + (source.mappingKind == .attribute ? "an attribute" : "a relationship")
  }

  func remedy(_ names: MappingNames) -> String? {
    "write a 'value' or a policy that converts it"
      + (property.mustHaveValue ? "" : ", or 'copy=\"no\"' to discard it")
  }
}
