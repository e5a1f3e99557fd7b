import HeavyliftModel

/// The entity that declares a property, and the property's name.
struct PropertyDeclaration: Hashable {
  var entity: Int
  var name: String
}

/// The source of a destination property for the objects of one source entity.
struct PropertyCounterpart {
  enum Treatment: Hashable {
    /// The values fit, and are copied.
    case copied
    /// The type has changed: a script has to convert the values.
    case converted
    /// The old property and the new one are not the same thing.
    case replaced(IntermediateChange.Replacement)
  }

  var old: PropertyReference
  /// The declaration in the source model.
  var place: PropertyDeclaration
  var treatment: Treatment
}

/// Finds the counterpart of each property, source entity by source entity.
struct PropertyCounterparts {
  let entities: IntermediateEntities
  /// The counterparts of destination properties, by source entity and by the name in the destination model.
  private(set) var bySource: [[String: PropertyCounterpart]] = []
  /// The stored properties of each source entity that are not copied to a property of the destination model.
  private(set) var kept: [[(property: PropertyReference, place: PropertyDeclaration)]] = []

  init(_ entities: IntermediateEntities) {
    self.entities = entities
    for old in entities.source.model.entities.indices { bySource.append(match(old)) }
    separateContradictingInverses(pairUnmatchedInverses())
    kept = entities.source.model.entities.indices.map { old in
      let copied = Set(bySource[old].values.filter { $0.treatment == .copied }.map(\.old.name))
      return entities.source.properties(of: old).compactMap { property in
        guard property.isStored, !copied.contains(property.name),
          let place = entities.source.declaration(of: property.name, in: old)
        else { return nil }
        return (property, place)
      }
    }
  }

  private func match(_ old: Int) -> [String: PropertyCounterpart] {
    guard let new = entities.shape(of: entities.counterparts[old]) else { return [:] }
    let (olds, news) = (entities.source.properties(of: old), entities.destination.properties(of: new))
    let match = RenamingMatch(old: olds, new: news)
    var counterparts: [String: PropertyCounterpart] = [:]
    for case (let before?, let after?) in match.pairs {
      guard olds[before].isStored, let treatment = treatment(from: olds[before], to: news[after]),
        let place = entities.source.declaration(of: olds[before].name, in: old)
      else { continue }
      counterparts[news[after].name] = PropertyCounterpart(old: olds[before], place: place, treatment: treatment)
    }
    return counterparts
  }

  private func treatment(
    from old: PropertyReference, to new: PropertyReference
  ) -> PropertyCounterpart.Treatment? {
    switch (old, new) {
    case (.fetched, _), (_, .fetched): return nil
    case (.attribute(let old), .attribute(let new)):
      if new.isTransient { return .replaced(.notStored) }
      if new.isTimeOfSave, !old.isRecomputed, new.type.isInferred(from: old.type) { return .copied }
      if new.isDerived { return old.isDerived ? .copied : .replaced(.derived) }
      guard new.type.isInferred(from: old.type) else { return .converted }
      let copy = AttributeCopy(
        from: old, in: entities.source.model, to: new, in: entities.destination.model)
      return old.type != .composite || copy == .exact ? .copied : .converted
    case (.relationship(let old), .relationship(let new)):
      if new.isTransient { return .replaced(.notStored) }
      return leadsToSameObjects(old, new) ? .copied : .replaced(.destination)
    case (.attribute, .relationship), (.relationship, .attribute): return .replaced(.kind)
    }
  }

  private func leadsToSameObjects(_ old: RelationshipDescription, _ new: RelationshipDescription) -> Bool {
    guard let given = entities.source.entity(named: old.destinationEntityName),
      let wanted = entities.destination.entity(named: new.destinationEntityName)
    else { return false }
    return entities.source.entityAndSubentities(of: given).allSatisfy {
      entities.source.model.entities[$0].isAbstract || entities.isKind(entities.counterparts[$0], of: wanted)
    }
  }

  // MARK: Inverses

  private struct Declarations {
    var byOld: [PropertyDeclaration: Set<PropertyDeclaration>] = [:]
    var byNew: [PropertyDeclaration: Set<PropertyDeclaration>] = [:]

    mutating func insert(_ old: PropertyDeclaration, _ new: PropertyDeclaration) {
      byOld[old, default: []].insert(new)
      byNew[new, default: []].insert(old)
    }
  }

  /// The pairs of relationships that are copied.
  private var copiedRelationships: Declarations {
    var pairs = Declarations()
    for (old, counterparts) in bySource.enumerated() {
      guard let shape = entities.shape(of: entities.counterparts[old]) else { continue }
      for (name, counterpart) in counterparts where counterpart.treatment == .copied {
        guard case .relationship = counterpart.old,
          let new = entities.destination.declaration(of: name, in: shape)
        else { continue }
        pairs.insert(counterpart.place, new)
      }
    }
    return pairs
  }

  /// Matches the inverses of matched relationships, if neither has a counterpart of its own: an inverse may get another
  /// name without a renaming identifier.
  private mutating func pairUnmatchedInverses() -> Declarations {
    let pairs = copiedRelationships
    var candidates = Declarations()
    for (old, news) in pairs.byOld {
      for new in news {
        guard let back = entities.source.inverse(of: old), let other = entities.destination.inverse(of: new),
          pairs.byOld[back] == nil, pairs.byNew[other] == nil
        else { continue }
        candidates.insert(back, other)
      }
    }
    var all = pairs
    for (old, news) in candidates.byOld {
      guard news.count == 1, let new = news.first, candidates.byNew[new]?.count == 1,
        let relationship = entities.source.relationship(old), relationship.isStored
      else { continue }
      let isFree = bySource.indices.allSatisfy { number in
        bySource[number][new.name] == nil || !entities.source.isKind(number, of: old.entity)
      }
      guard isFree else { continue }
      all.insert(old, new)
      for number in entities.source.entityAndSubentities(of: old.entity) {
        guard let shape = entities.shape(of: entities.counterparts[number]),
          entities.destination.declaration(of: new.name, in: shape) == new
        else { continue }
        bySource[number][new.name] = PropertyCounterpart(
          old: .relationship(relationship), place: old, treatment: .copied)
      }
    }
    return all
  }

  /// Does not copy a relationship if the new version makes it the inverse of a relationship that is copied from
  /// elsewhere: copying one end would overwrite the other.
  private mutating func separateContradictingInverses(_ pairs: Declarations) {
    for (old, news) in pairs.byOld {
      // As in inferred mappings, two relationships without inverses may become each other's inverse.
      guard let back = entities.source.inverse(of: old) else { continue }
      for new in news {
        guard let other = entities.destination.inverse(of: new), let origins = pairs.byNew[other],
          !origins.contains(back)
        else { continue }
        for number in bySource.indices where bySource[number][new.name]?.place == old {
          bySource[number][new.name]?.treatment = .replaced(.inverse)
        }
      }
    }
  }
}

extension PropertyReference {
  /// True if a store has values of the property.
  var isStored: Bool {
    switch self {
    case .attribute(let attribute): !attribute.isTransient
    case .relationship(let relationship): relationship.isStored
    case .fetched: false
    }
  }

  /// True if a store has values of the property that can come from another one: a transient property has none, and a
  /// derived one is computed.
  package var isWritable: Bool {
    if case .attribute(let attribute) = self, attribute.isRecomputed { return false }
    return isStored
  }
}

extension RelationshipDescription {
  /// True if a store has links of the relationship.
  var isStored: Bool { !isTransient }
}

extension ModelIndex {
  func declaration(of name: String, in entity: Int) -> PropertyDeclaration? {
    property(named: name, of: entity).map { PropertyDeclaration(entity: $0.declaredBy, name: name) }
  }

  func relationship(_ place: PropertyDeclaration) -> RelationshipDescription? {
    guard case .relationship(let relationship)? = property(named: place.name, of: place.entity)?.property else {
      return nil
    }
    return relationship
  }

  func inverse(of relationship: RelationshipDescription) -> RelationshipDescription? {
    guard let name = relationship.inverseName,
      let entity = entity(named: relationship.inverseEntityName)
        ?? entity(named: relationship.destinationEntityName),
      case .relationship(let inverse)? = property(named: name, of: entity)?.property
    else { return nil }
    return inverse
  }

  /// The declaration of a relationship's inverse.
  func inverse(of place: PropertyDeclaration) -> PropertyDeclaration? {
    guard let relationship = relationship(place), let name = relationship.inverseName,
      let entity = entity(named: relationship.inverseEntityName)
        ?? entity(named: relationship.destinationEntityName)
    else { return nil }
    return declaration(of: name, in: entity)
  }
}
