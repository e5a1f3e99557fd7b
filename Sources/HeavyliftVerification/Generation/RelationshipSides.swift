import HeavyliftModel

/// Which side of a relationship is written in a graph, and what the other one is.
struct RelationshipSides {
  let model: ManagedObjectModel

  /// Whether the relationship is written at this side: ordered rather than not, to-one rather than to-many.
  func isOwner(_ relationship: RelationshipDescription) -> Bool {
    guard let inverse = inverse(of: relationship) else { return true }
    if relationship.isOrdered != inverse.isOrdered { return relationship.isOrdered }
    if relationship.isToMany != inverse.isToMany { return !relationship.isToMany }
    if relationship.requiresTarget != inverse.requiresTarget { return relationship.requiresTarget }
    return (relationship.name, relationship.destinationEntityName ?? "")
      <= (inverse.name, inverse.destinationEntityName ?? "")
  }

  func inverse(of relationship: RelationshipDescription) -> RelationshipDescription? {
    guard let name = relationship.inverseName, let target = relationship.destinationEntityName,
      let entity = model.entity(named: target)
    else { return nil }
    return GraphEntity(entity, in: model).relationships[name]
  }
}
