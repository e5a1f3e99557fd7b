import HeavyliftModel

/// The relationships of an intermediate model.
struct IntermediateRelationships {
  let counterparts: PropertyCounterparts
  let kept: KeptProperties
  private var entities: IntermediateEntities { counterparts.entities }

  /// Returns a relationship of a destination entity as it is in the intermediate model, and its changes.
  func relationship(
    _ new: RelationshipDescription, of entity: Int
  ) -> (relationship: RelationshipDescription, changes: [IntermediateChange]) {
    let sources = entities.concreteSources[entity].filter { source in
      entities.shape(of: entities.counterparts[source]).flatMap {
        entities.destination.property(named: new.name, of: $0)?.declaredBy
      } == entity
    }
    var kinds: [(IntermediateChange.Kind, needsScript: Bool)] = []
    let wanted = CountRange(new)
    var range = wanted
    var isOrdered = new.isOrdered
    for source in sources {
      guard let counterpart = counterparts.bySource[source][new.name] else {
        let given = rangeFromInverse(new, entity)
        range = range.union(given)
        let wasTransient = entities.source.property(named: new.name, of: source)?.property.isTransient == true
        kinds.append((wasTransient && !new.isTransient ? .stored : .added, !wanted.contains(given)))
        continue
      }
      switch (counterpart.treatment, counterpart.old) {
      case (.copied, .relationship(let old)):
        let given = CountRange(old)
        range = range.union(given)
        isOrdered = isOrdered || old.isOrdered
        if old.name != new.name { kinds.append((.renamed(from: old.name), false)) }
        if given != wanted { kinds.append((.count, !wanted.contains(given))) }
        if old.isToMany, new.isToMany, old.isOrdered != new.isOrdered {
          kinds.append((.order(isOrdered: new.isOrdered), false))
        }
      case (.replaced(let reason), let old):
        range = range.union(.nothing)
        // A relationship with other objects or another inverse still has its name, so its links would be lost silently.
        let isExpectedToStay = reason == .destination || reason == .inverse
        kinds.append(
          (
            .replaced(reason, old: kept.names[source][old.name] ?? old.name),
            (new.requiresTarget || isExpectedToStay) && !new.isTransient
          ))
      default: break
      }
    }
    if new.isToMany, sharesTargets(new, of: entity) { kinds.append((.singleOwner, true)) }
    let changes = kinds.changes(of: entities.entities[entity].name, .relationship, new.name)
    if new.isTransient { return (new, changes) }
    var relationship = new
    if range != wanted { relationship.allow(range) }
    relationship.isOrdered = isOrdered && relationship.isToMany
    if relationship != new { relationship.markup = Markup() }
    return (relationship, changes)
  }

  /// The numbers of targets that a new relationship gets if its inverse is copied.
  private func rangeFromInverse(_ new: RelationshipDescription, _ entity: Int) -> CountRange {
    guard let place = entities.destination.inverse(of: PropertyDeclaration(entity: entity, name: new.name)) else {
      return .nothing
    }
    var range = CountRange.nothing
    for source in entities.concreteSources[place.entity] {
      guard let counterpart = counterparts.bySource[source][place.name], counterpart.treatment == .copied,
        case .relationship(let old) = counterpart.old
      else { continue }
      let back = entities.source.inverse(of: counterpart.place).flatMap(entities.source.relationship)
      range = range.union(back.map { CountRange($0) } ?? CountRange(withoutInverseOf: old))
    }
    return range
  }

  /// True if targets of a copied to-many relationship can have several owners in the source version, although the
  /// destination version has no inverse to say so.
  func sharesTargets(_ new: RelationshipDescription, of entity: Int) -> Bool {
    guard new.isToMany || entities.concreteSources[entity].contains(where: { isToMany(new.name, $0) }),
      !new.isTransient,
      entities.destination.inverse(of: PropertyDeclaration(entity: entity, name: new.name)) == nil
    else { return false }
    return entities.concreteSources[entity].contains { source in
      guard let counterpart = counterparts.bySource[source][new.name], counterpart.treatment == .copied else {
        return false
      }
      return sharesTargets(counterpart.place)
    }
  }

  private func isToMany(_ name: String, _ source: Int) -> Bool {
    guard case .relationship(let old)? = counterparts.bySource[source][name]?.old else { return false }
    return old.isToMany
  }

  /// True if several source objects can have the same target.
  func sharesTargets(_ old: PropertyDeclaration) -> Bool {
    guard let relationship = entities.source.relationship(old) else { return false }
    let back = entities.source.inverse(of: old).flatMap(entities.source.relationship)
    return (back.map { CountRange($0) } ?? CountRange(withoutInverseOf: relationship)).most != 1
  }

  /// Returns a kept relationship: only its links matter. Nil if no entity has all of its objects.
  func relationship(_ kept: KeptProperties.Kept, _ old: RelationshipDescription) -> RelationshipDescription? {
    guard
      let target = entities.source.entity(named: old.destinationEntityName).flatMap(entities.target(ofSource:))
    else { return nil }
    var relationship = old
    relationship.name = kept.name
    relationship.isOptional = true
    relationship.minCount = 0
    relationship.destinationEntityName = entities.entities[target].name
    // Deleting objects must have the effects of the destination version only.
    relationship.deleteRule = .nullify
    relationship.renamingIdentifier = nil
    relationship.markup = Markup()
    (relationship.inverseName, relationship.inverseEntityName) = (nil, nil)
    if kept.owners.count == 1, let back = self.kept.only(entities.source.inverse(of: kept.place)),
      entities.source.inverse(of: back.place) == kept.place
    {
      relationship.inverseName = back.name
      relationship.inverseEntityName = relationship.destinationEntityName
    }
    return relationship
  }
}

extension CountRange {
  static let nothing = CountRange(least: 0, most: 0)
}

extension RelationshipDescription {
  /// Allows the numbers of targets in a range.
  fileprivate mutating func allow(_ range: CountRange) {
    if range.least == 0 { isOptional = true }
    minCount = range.least
    maxCount = range.most.map { max($0, 1) } ?? 0
  }
}
