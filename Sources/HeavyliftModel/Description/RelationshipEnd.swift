/// One end of a relationship, identified by its name and the entity that declares it.
package struct RelationshipEnd: Hashable, Sendable {
  package var entity: String
  package var name: String

  package init(entity: String, name: String) { (self.entity, self.name) = (entity, name) }
}

extension ManagedObjectModel {
  /// Returns an own or inherited relationship of an entity.
  package func relationship(_ name: String, of entity: String) -> RelationshipDescription? {
    self.entity(named: entity).flatMap { allRelationships(of: $0).first { $0.name == name } }
  }

  /// Returns the end for a relationship of an entity, which may have inherited it.
  package func end(of name: String, entity: String) -> RelationshipEnd? {
    guard let entity = self.entity(named: entity),
      let declaring = lineage(of: entity).last(where: { $0.relationships.contains { $0.name == name } })
    else { return nil }
    return RelationshipEnd(entity: declaring.name, name: name)
  }

  /// True if two entities are the same, or if one inherits from the other.
  package func areRelated(_ one: String, _ other: String) -> Bool {
    guard let first = entity(named: one), let second = entity(named: other) else { return false }
    return entity(first, isKindOf: other) || entity(second, isKindOf: one)
  }

  /// Returns the other end of a relationship: the inverse that it names, if both hold the same links.
  package func inverse(of end: RelationshipEnd) -> RelationshipEnd? {
    guard let relationship = relationship(end.name, of: end.entity), leadsBack(relationship, to: end.entity),
      let name = relationship.inverseName, let target = relationship.destinationEntityName
    else { return nil }
    return self.end(of: name, entity: target)
  }

  /// True if the inverse of an entity's relationship leads back to it, and both hold the same links.
  func leadsBack(_ relationship: RelationshipDescription, to entity: String) -> Bool {
    guard let target = inverse(of: relationship)?.destinationEntityName else { return false }
    return target == entity || areRelated(target, entity)
  }

  /// Returns the other end of a relationship: the inverse that it names, if both hold the same links.
  ///
  /// Models that Xcode compiles can have relationships whose inverse names another one: such a to-one has a column, and
  /// thus links, of its own. The links of a to-many are those of the to-one that it names, whatever that one names.
  package func inverse(of relationship: RelationshipDescription?) -> RelationshipDescription? {
    guard let relationship, let name = relationship.inverseName, let target = relationship.destinationEntityName,
      let inverse = self.relationship(name, of: target),
      inverse.inverseName == relationship.name || (relationship.isToMany && !inverse.isToMany)
    else { return nil }
    return inverse
  }

  /// Returns the end that identifies a relationship: the to-one end, or else the first by name.
  package func canonicalEnd(of end: RelationshipEnd) -> RelationshipEnd {
    guard let inverse = inverse(of: end) else { return end }
    let isToMany = relationship(end.name, of: end.entity)?.isToMany ?? true
    let isOtherToMany = relationship(inverse.name, of: inverse.entity)?.isToMany ?? true
    if isToMany != isOtherToMany { return isToMany ? inverse : end }
    return (end.entity, end.name) <= (inverse.entity, inverse.name) ? end : inverse
  }

  /// Returns each relationship once, identified by its canonical end. Omits a relationship if neither end is included.
  package func canonicalEnds(
    where isIncluded: (RelationshipDescription) -> Bool = { _ in true }
  ) -> [RelationshipEnd] {
    var seen: Set<RelationshipEnd> = []
    return entities.flatMap { entity in
      entity.relationships.filter(isIncluded).compactMap { relationship in
        let canonical = canonicalEnd(of: RelationshipEnd(entity: entity.name, name: relationship.name))
        return seen.insert(canonical).inserted ? canonical : nil
      }
    }
  }
}
