import HeavyliftModel

/// A mapped property must exist in the destination entity.
struct UnknownProperty: MappingRule {
  struct Mistake: MappingMistake {
    static let code = "mapping.unknown-property"
    var property: PropertyMappingDescription
    var owner: EntityMappingFact
    var entity: Int
    var entityName: String
    /// A sub-entity that has the property.
    var subentity: String?
    var location: DiagnosticLocation?
  }

  func mistakes(in mapping: MappingIndex) -> [Mistake] {
    mapping.mappings.flatMap { fact -> [Mistake] in
      guard let entity = fact.destination else { return [] }
      let names = mapping.destination.model.entities
      return fact.description.propertyMappings.filter { fact.destinationProperties[$0.name] == nil }.map { property in
        // Tries only a few sub-entities: a hierarchy can be large, and every name in the mapping can be misspelled.
        let heir = mapping.destination.entityAndSubentities(of: entity).dropFirst().prefix(50).first {
          mapping.destination.property(named: property.name, of: $0) != nil
        }
        return Mistake(
          property: property, owner: fact, entity: entity, entityName: names[entity].name,
          subentity: heir.map { names[$0].name }, location: property.markup.location(of: "name"))
      }
    }
  }
}

extension UnknownProperty.Mistake {
  var severity: Diagnostic.Severity { .error }

  var problem: String {
    "destination entity \(entityName.quotedName) has no \(property.kind.rawValue) \(property.name.quotedName)"
  }

  func remedy(_ names: MappingNames) -> String? {
    if let subentity {
      return "sub-entity \(subentity.quotedName) of \(entityName.quotedName) has it: map it there"
    }
    let all = names.destination.propertyNames(of: entity)
    // Suggests a similar name even if the property with this name is of the other kind; otherwise, lists names of the
    // right kind.
    let isNear = all.count <= 200 && all.nearest(to: property.name) != nil
    let known = isNear ? all : all.filter { owner.destinationProperties[$0]?.mappingKind == property.kind }
    return names.destination.suggestion(for: property.name, among: known, kind: property.kind.rawValue)
  }
}

extension PropertyReference {
  /// The kind of mapping that the property requires; nil if it cannot be mapped.
  var mappingKind: PropertyMappingDescription.Kind? {
    switch self {
    case .attribute: .attribute
    case .relationship: .relationship
    case .fetched: nil
    }
  }
}
