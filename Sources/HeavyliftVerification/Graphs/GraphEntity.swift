import HeavyliftModel

/// An entity's properties by name, including inherited ones.
struct GraphEntity {
  let name: String
  let attributes: [String: AttributeDescription]
  let relationships: [String: RelationshipDescription]

  init(_ entity: EntityDescription, in model: ManagedObjectModel) {
    name = entity.name
    attributes = Dictionary(
      model.allAttributes(of: entity).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    relationships = Dictionary(
      model.allRelationships(of: entity).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The attributes that are stored, sorted by name.
  var storedAttributes: [AttributeDescription] {
    attributes.values.filter { !$0.isTransient && !$0.isDerived }.sorted { $0.name < $1.name }
  }

  /// The relationships, sorted by name.
  var sortedRelationships: [RelationshipDescription] { relationships.values.sorted { $0.name < $1.name } }

  var propertyNames: [String] { storedAttributes.map(\.name) + sortedRelationships.map(\.name) }
}
