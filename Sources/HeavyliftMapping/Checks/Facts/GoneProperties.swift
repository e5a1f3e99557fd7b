import HeavyliftModel

/// Source properties that are not in the destination entity any more and that nothing reads, and the new properties that
/// they may have been renamed to.
struct GoneProperties {
  /// A property, and new ones of a compatible type that get no value, the likeliest first.
  struct Finding {
    var property: PropertyReference
    var candidates: [PropertyReference]
  }

  private static let mostComparedNames = 64

  private struct Key: Hashable {
    var entity: Int
    var name: String
  }

  private let mapping: MappingIndex
  private let reads: SourceReads
  private let coverage: EntityCoverage
  private let filled: FilledRelationships
  private let counterparts: EntityCounterparts
  /// The properties of each entity mapping that get no value and are new in the destination.
  private let added: [Int: [PropertyReference]]
  /// Named by `<drop>` in whichever entity mapping, by the entity that declares them.
  private let dropped: Set<Key>

  init(_ mapping: MappingIndex) {
    self.mapping = mapping
    reads = SourceReads(mapping)
    coverage = EntityCoverage(mapping)
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
        if let key = Self.key(drop.name, fact.source, mapping.source) { dropped.insert(key) }
      }
    }
    self.dropped = dropped
  }

  private static func key(_ name: String, _ entity: Int?, _ source: ModelIndex) -> Key? {
    entity.flatMap { source.property(named: name, of: $0) }.map { Key(entity: $0.declaredBy, name: name) }
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

  /// What is gone for the objects of each entity mapping: a property is given once, for the first of the entity mappings.
  func findings() -> [(fact: EntityMappingFact, findings: [Finding])] {
    var given: Set<Key> = []
    return mapping.mappings.compactMap { fact in
      guard let source = fact.source, isSuccession(fact) else { return nil }
      let found = gone(fact).compactMap { property -> Finding? in
        guard let key = Self.key(property.name, source, mapping.source), !dropped.contains(key),
          given.insert(key).inserted
        else { return nil }
        return Finding(property: property, candidates: candidates(for: property, in: fact))
      }
      return found.isEmpty ? nil : (fact, found)
    }
  }

  /// Everything that is gone for the objects of each entity mapping, and whether it is dropped by name.
  func all() -> [(fact: EntityMappingFact, properties: [(property: PropertyReference, isDropped: Bool)])] {
    mapping.mappings.filter(isSuccession).map { fact in
      (
        fact,
        gone(fact).map { property in
          (property, Self.key(property.name, fact.source, mapping.source).map(dropped.contains) ?? false)
        }
      )
    }
  }

  /// Whether the destination entity is what the source entity became: a property that another one lacks is not gone.
  private func isSuccession(_ fact: EntityMappingFact) -> Bool {
    guard let source = fact.source, let destination = fact.destination else { return false }
    return counterparts[source].map { $0 == destination } ?? mapping.isFirstTaker(fact)
  }

  private func gone(_ fact: EntityMappingFact) -> [PropertyReference] {
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
    return olds.filter { property in
      switch property {
      case .fetched: return false
      case .attribute(let attribute): if attribute.isTransient || attribute.isDerived { return false }
      case .relationship(let relationship):
        if relationship.isTransient { return false }
        // It goes with its objects.
        if let other = mapping.source.entity(named: relationship.destinationEntityName),
          coverage.isRemovedOrDropped(other)
        {
          return false
        }
      }
      return !kept.contains(property.name) && !reads.isRead(property, of: source)
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
