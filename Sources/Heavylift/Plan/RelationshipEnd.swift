import HeavyliftModel

/// One end of a relationship, identified by its name and the entity that declares it.
struct RelationshipEnd: Hashable, Sendable {
  var entity: String
  var name: String
}

extension ManagedObjectModel {
  /// Returns an own or inherited relationship of an entity.
  func relationship(_ name: String, of entity: String) -> RelationshipDescription? {
    self.entity(named: entity).flatMap { allRelationships(of: $0).first { $0.name == name } }
  }

  /// Returns the end for a relationship of an entity, which may have inherited it.
  func end(of name: String, entity: String) -> RelationshipEnd? {
    guard let entity = self.entity(named: entity),
      let declaring = lineage(of: entity).last(where: { $0.relationships.contains { $0.name == name } })
    else { return nil }
    return RelationshipEnd(entity: declaring.name, name: name)
  }

  /// True if two entities are the same, or if one inherits from the other.
  func areRelated(_ one: String, _ other: String) -> Bool {
    guard let first = entity(named: one), let second = entity(named: other) else { return false }
    return entity(first, isKindOf: other) || entity(second, isKindOf: one)
  }

  /// The other end of a relationship.
  func inverse(of end: RelationshipEnd) -> RelationshipEnd? {
    guard let relationship = relationship(end.name, of: end.entity), let name = relationship.inverseName,
      let target = relationship.destinationEntityName
    else { return nil }
    return self.end(of: name, entity: target)
  }

  /// The other end of a relationship.
  func inverse(of relationship: RelationshipDescription?) -> RelationshipDescription? {
    guard let name = relationship?.inverseName, let target = relationship?.destinationEntityName else { return nil }
    return self.relationship(name, of: target)
  }
}
