import HeavyliftModel

/// Source properties that are not in the destination entity any more and that nothing reads, and the new properties that
/// they may have been renamed to.
struct GoneProperties {
  /// A property, and new ones of a compatible type that get no value, the likeliest first.
  struct Finding {
    var property: PropertyReference
    var candidates: [PropertyReference]
    /// True if the property is gone for objects of an entity that this one inherits from, too: a drop there is enough.
    var isInherited: Bool
  }

  private static let mostComparedNames = 64

  private struct Key: Hashable {
    var entity: Int
    var name: String
  }

  private let mapping: MappingIndex
  private let reads: SourceReads
  private let losable: LosableProperties
  private let filled: FilledRelationships
  private let counterparts: EntityCounterparts
  /// The properties of each entity mapping that get no value and are new in the destination.
  private let added: [Int: [PropertyReference]]
  /// Named by `<drop>` in whichever entity mapping, by the mapping's source entity.
  private let dropped: Set<Key>

  init(_ mapping: MappingIndex) {
    self.mapping = mapping
    reads = SourceReads(mapping)
    losable = LosableProperties(mapping)
    filled = FilledRelationships(mapping, countsPolicies: false)
    counterparts = EntityCounterparts(.everything, source: mapping.source, destination: mapping.destination)
    var added: [Int: [PropertyReference]] = [:]
    for property in mapping.properties where Self.isUndecided(property, in: mapping) {
      added[property.owner.number, default: []].append(property.property)
    }
    self.added = added
    var dropped: Set<Key> = []
    for fact in mapping.mappings {
      for drop in fact.description.droppedProperties {
        if let entity = fact.source { dropped.insert(Key(entity: entity, name: drop.name)) }
      }
    }
    self.dropped = dropped
  }

  /// Whether a destination property is new and gets no value, and the mapping does not say that it is to stay so.
  private static func isUndecided(_ property: PropertyMappingFact, in mapping: MappingIndex) -> Bool {
    // Xcode lists every property, also where there is nothing to say about it.
    let isMentioned = property.written != nil && mapping.complete.mappingModel.unmentionedEntities == .copied
    guard !isMentioned, let source = property.owner.source else { return false }
    if property.attribute.map({ $0.isTransient || $0.isDerived }) ?? property.relationship?.isTransient ?? true {
      return false
    }
    return switch property.unmappedReason {
    case .notInSource: true
    case .notListed: mapping.source.property(named: property.property.name, of: source) == nil
    default: false
    }
  }

  /// Everything that is gone for the objects of each entity mapping and is not dropped by name.
  func findings() -> [(fact: EntityMappingFact, findings: [Finding])] {
    let all = mapping.mappings.filter(isSuccession).map { fact in
      (fact, gone(fact, coversAll: false).filter { !isDropped($0, by: fact) })
    }
    var found: [Int: Set<String>] = [:]
    for (fact, properties) in all {
      if let source = fact.source { found[source, default: []].formUnion(properties.map(\.name)) }
    }
    return all.filter { !$0.1.isEmpty }.map { fact, properties in
      let ancestors = fact.source.map { mapping.source.ancestors(of: $0) } ?? []
      return (
        fact,
        properties.map { property in
          Finding(
            property: property, candidates: candidates(for: property, in: fact),
            isInherited: ancestors.contains { found[$0]?.contains(property.name) ?? false })
        }
      )
    }
  }

  /// True if the property is dropped by name for the entity's objects, or for those of an entity that it inherits from.
  private func isDropped(_ property: PropertyReference, by fact: EntityMappingFact) -> Bool {
    guard let entity = fact.source else { return false }
    return ([entity] + mapping.source.ancestors(of: entity)).contains {
      dropped.contains(Key(entity: $0, name: property.name))
    }
  }

  /// True if other entity mappings keep the property of some objects of the entity, or of an entity that is related to it.
  func isKeptElsewhere(_ property: PropertyReference, by fact: EntityMappingFact) -> Bool {
    fact.source.map { reads.isReadElsewhere(property, of: $0) } ?? false
  }

  /// The entity mappings of an entity's own objects that read the property.
  func readers(of property: PropertyReference, entity: Int) -> [EntityMappingFact] {
    reads.readers(of: property, entity: entity).sorted().map { mapping.mappings[$0] }
  }

  /// True if the property of an entity mapping's objects is read, by the mapping or by one that takes some of them, too.
  ///
  /// - Parameter coversAll: Counts other mappings only if they certainly take all of the objects.
  private func isRead(
    _ property: PropertyReference, of source: Int, by fact: EntityMappingFact, coversAll: Bool
  ) -> Bool {
    if reads.isReadByOthers(property, of: source) { return true }
    return readers(of: property, entity: source).contains { reader in
      if reader.number == fact.number || reader.takesEverything || reader.mapping.filter == fact.mapping.filter {
        return true
      }
      guard !coversAll else { return false }
      guard let one = reader.mapping.filter, let other = fact.mapping.filter else { return true }
      let cases = FilterCases([one, other]) { mapping.source.property(named: $0, of: source)?.property }
      return cases?.canPass(0, 1) ?? true
    }
  }

  /// Everything that is gone for the objects of each entity mapping, and whether it is dropped by name.
  ///
  /// - Parameter coversAll: Counts what other mappings read of the same objects only if they certainly take all of them.
  func all(coversAll: Bool = false) -> [(
    fact: EntityMappingFact, properties: [(property: PropertyReference, isDropped: Bool)]
  )] {
    mapping.mappings.filter(isSuccession).map { fact in
      (
        fact,
        gone(fact, coversAll: coversAll).map { property in
          (property, isDropped(property, by: fact))
        }
      )
    }
  }

  /// Whether the destination entity is what the source entity became: a property that another one lacks is not gone.
  private func isSuccession(_ fact: EntityMappingFact) -> Bool {
    guard let source = fact.source, let destination = fact.destination else { return false }
    return counterparts[source].map { $0 == destination } ?? mapping.isFirstTaker(fact)
  }

  private func gone(_ fact: EntityMappingFact, coversAll: Bool) -> [PropertyReference] {
    guard let source = fact.source else { return [] }
    // Functions that get the object read what they like. So do policies, and they can set what is new, too.
    if !fact.isCustom, reads.handedOver.contains(source) { return [] }
    let copying = fact.description.copying ?? mapping.complete.mappingModel.copying
    let olds = mapping.source.properties(of: source)
    let news = Array(fact.destinationProperties.values)
    let kept: Set<String>
    if copying == .everything {
      let match = RenamingMatch(
        old: olds.map { RenamingMatch.Thing(name: $0.name, identifier: $0.renamingIdentifier) },
        new: news.map { RenamingMatch.Thing(name: $0.name, identifier: $0.renamingIdentifier) })
      kept = Set(match.pairs.filter { $0.new != nil }.compactMap { $0.old.map { olds[$0].name } })
    } else {
      kept = Set(fact.destinationProperties.keys)
    }
    return losable.properties(of: source).filter { property in
      !kept.contains(property.name) && !isRead(property, of: source, by: fact, coversAll: coversAll)
    }
  }

  private func candidates(for property: PropertyReference, in fact: EntityMappingFact) -> [PropertyReference] {
    let fitting = added[fact.number, default: []].filter { isCompatible(property, $0) }
    // Comparing names takes time, and among so many none is likely.
    let nearest = fitting.count > Self.mostComparedNames ? nil : fitting.map(\.name).nearest(to: property.name)
    return fitting.sorted { rank($0, of: property, nearest) < rank($1, of: property, nearest) }
  }

  /// Near names first, then names of which one contains the other, then the same type.
  private func rank(_ candidate: PropertyReference, of property: PropertyReference, _ nearest: String?) -> (Int, String)
  {
    let (one, other) = (candidate.name.lowercased(), property.name.lowercased())
    if candidate.name == nearest || one.contains(other) || other.contains(one) { return (0, candidate.name) }
    if case .attribute(let new) = candidate, case .attribute(let old) = property {
      return (copy(old, new) == .exact ? 1 : 2, candidate.name)
    }
    return (1, candidate.name)
  }

  private func isCompatible(_ old: PropertyReference, _ new: PropertyReference) -> Bool {
    switch (old, new) {
    case (.attribute(let old), .attribute(let new)): return copy(old, new) != .impossible
    case (.relationship(let old), .relationship(let new)):
      guard !old.isToMany || new.isToMany, !filled.isFilledFromInverse(new),
        let given = mapping.source.entity(named: old.destinationEntityName),
        let wanted = mapping.destination.entity(named: new.destinationEntityName), let became = counterparts[given]
      else { return false }
      return mapping.destination.areRelated(became, wanted)
    default: return false
    }
  }

  private func copy(_ old: AttributeDescription, _ new: AttributeDescription) -> AttributeCopy {
    AttributeCopy(from: old, in: mapping.source.model, to: new, in: mapping.destination.model)
  }
}

extension ModelIndex {
  /// The entities that an entity inherits from, the nearest first.
  fileprivate func ancestors(of entity: Int) -> [Int] {
    let entities = model.entities
    return sequence(first: entity) { self.entity(named: entities[$0].superentityName) }.dropFirst().prefix(100).map(
      \.self)
  }
}
