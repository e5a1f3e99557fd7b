import HeavyliftModel

/// The side of a relationship that is written in a graph, and its inverse.
struct RelationshipSides {
  /// The model, with an inverse added to each to-many relationship without one; a target then has at most one owner.
  let model: ManagedObjectModel

  init(model: ManagedObjectModel) { self.model = model.withImpliedInverses }

  /// True if the relationship is written on this side. The ordered side is preferred, then the to-one side, then the
  /// mandatory side.
  func isOwner(_ relationship: RelationshipDescription) -> Bool {
    guard !relationship.isImplied else { return false }
    guard let inverse = inverse(of: relationship), !inverse.isImplied else { return true }
    if relationship.isOrdered != inverse.isOrdered { return relationship.isOrdered }
    if relationship.isToMany != inverse.isToMany { return !relationship.isToMany }
    if relationship.requiresTarget != inverse.requiresTarget { return relationship.requiresTarget }
    return (relationship.name, relationship.destinationEntityName ?? "")
      <= (inverse.name, inverse.destinationEntityName ?? "")
  }

  /// An entity with its relationships, including implied ones.
  func entity(_ entity: GraphEntity) -> GraphEntity {
    model.entity(named: entity.name).map { GraphEntity($0, in: model) } ?? entity
  }

  func inverse(of relationship: RelationshipDescription) -> RelationshipDescription? {
    guard let name = relationship.inverseName, let target = relationship.destinationEntityName,
      let entity = model.entity(named: target)
    else { return nil }
    return GraphEntity(entity, in: model).relationships[name]
  }
}
