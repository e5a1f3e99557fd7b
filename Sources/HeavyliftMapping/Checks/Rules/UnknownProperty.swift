import HeavyliftModel

/// What a mapping mentions is a property of its destination entity.
struct UnknownProperty: MappingRule {
  struct Mistake: MappingMistake {
    static let code = "mapping.unknown-property"
    var property: PropertyMappingDescription
    var owner: EntityMappingFact
    var entity: Int
    var entityName: String
    /// An entity that inherits from this one and has the property.
    var subentity: String?
    var location: SourceLocation?
  }

  func mistakes(in mapping: MappingIndex) -> [Mistake] {
    mapping.mappings.flatMap { fact -> [Mistake] in
      guard let entity = fact.destination else { return [] }
      let names = mapping.destination.model.entities
      return fact.description.propertyMappings.filter { fact.destinationProperties[$0.name] == nil }.map { property in
        // The first few will do: a hierarchy can be large, and everything in it misspelt.
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
      return "entity \(subentity.quotedName) has it, which inherits from \(entityName.quotedName): map it there"
    }
    let known = owner.destinationProperties.values.filter { $0.mappingKind == property.kind }.map(\.name)
    let all = Array(owner.destinationProperties.keys)
    return names.destination.suggestion(
      for: property.name, among: all.nearestIfFew(to: property.name) == nil ? known : all,
      kind: property.kind.rawValue)
  }
}

extension [String] {
  fileprivate func nearestIfFew(to name: String) -> String? { count > 200 ? nil : nearest(to: name) }
}

extension PropertyReference {
  /// What kind of property mapping it takes; nil for what cannot be mapped.
  var mappingKind: PropertyMappingDescription.Kind? {
    switch self {
    case .attribute: .attribute
    case .relationship: .relationship
    case .fetched: nil
    }
  }
}
