import HeavyliftConcurrency
import HeavyliftModel

/// Source properties that are missing from the destination entity, or not stored there, and that nothing reads, with
/// the new properties that they may have been renamed to.
struct GoneProperties: Sendable {
  /// A missing property and its rename candidates: new properties without a value that have a compatible type or a
  /// similar name, most likely first.
  struct Finding: Sendable {
    var property: PropertyReference
    var candidates: [RenamingCandidate]
    /// True if an entity mapping of a parent entity also loses the property, so that one `<drop>` there is enough.
    var isInherited: Bool
  }

  private static let mostComparedNames = 64

  /// The missing properties of an entity mapping, and whether they are dropped by name.
  typealias Missing = (fact: EntityMappingFact, properties: [(property: PropertyReference, isDropped: Bool)])

  private let pair: ModelPair
  private let mappings: [EntityMappingFact]
  private let copying: ConservativeCopy
  private let reads: SourceReads
  /// The reads that do more than test the value.
  private let carryingReads: SourceReads
  private let losable: LosableProperties
  private let filled: FilledRelationships
  /// The entity mappings whose destination entity is the successor of the source entity.
  private let successions: [EntityMappingFact]
  /// New destination properties without a value, by entity mapping.
  private let added: [Int: [PropertyReference]]
  private let drops: DroppedProperties
  private let missing = Once<[Missing]>()

  init(_ facts: MappingFacts) {
    (pair, mappings, copying, drops) = (facts.pair, facts.mappings, facts.mappingModel.copying, facts.drops)
    (reads, carryingReads) = (facts.reads, facts.carryingReads)
    (losable, filled) = (facts.losable, facts.filledByMappings)
    // Without a successor, the destination of the first mapping counts as the successor. In any other mapping, a missing
    // property usually means nothing.
    successions = facts.mappings.filter { fact in
      guard let (source, destination) = fact.entities else { return false }
      return facts.pair.successors[source].map { destination == $0 } ?? facts.isFirstTaker(fact)
    }
    var added: [Int: [PropertyReference]] = [:]
    for property in facts.properties where Self.isUndecided(property, facts) {
      added[property.owner.number, default: []].append(property.property)
    }
    self.added = added
  }

  /// Returns true if a destination property is new and gets no value, and the mapping does not mention it.
  private static func isUndecided(_ property: PropertyMappingFact, _ facts: MappingFacts) -> Bool {
    // Xcode lists every property, even those without a value.
    let isMentioned = property.written != nil && facts.mappingModel.unmentionedEntities == .copied
    guard !isMentioned, let source = property.owner.source else { return false }
    if property.attribute.map({ $0.isTransient || $0.isDerived }) ?? property.relationship?.isTransient ?? true {
      return false
    }
    return switch property.unmappedReason {
    case .notInSource: true
    case .notListed: facts.source.property(named: property.property.name, of: source) == nil
    default: false
    }
  }

  /// For each entity mapping, the missing properties that are not dropped by name.
  func findings() -> [(fact: EntityMappingFact, findings: [Finding])] {
    let all = all().map { fact, properties in (fact, properties.filter { !$0.isDropped }.map(\.property)) }
    var found: [Int: Set<String>] = [:]
    for (fact, properties) in all {
      if let source = fact.source { found[source, default: []].formUnion(properties.map(\.name)) }
    }
    return all.filter { !$0.1.isEmpty }.map { fact, properties in
      let ancestors = fact.source.map { pair.source.ancestors(of: $0) } ?? []
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

  private func isDropped(_ property: PropertyReference, by fact: EntityMappingFact) -> Bool {
    fact.source.map { drops.contains(property.name, ofEntityOrAncestor: $0) } ?? false
  }

  /// Returns true if other entity mappings keep the property for some objects of the entity or of a related entity.
  func isKeptElsewhere(_ property: PropertyReference, by fact: EntityMappingFact) -> Bool {
    fact.source.map { reads.isReadElsewhere(property, of: $0) } ?? false
  }

  /// The entity mappings that take the entity's own objects and read the property, and do not only test it.
  func readers(of property: PropertyReference, entity: Int) -> [EntityMappingFact] {
    carryingReads.readers(of: property, entity: entity).sorted().map { mappings[$0] }
  }

  /// The entity mappings that read the property from objects other than their own source objects.
  func visits(of property: PropertyReference, entity: Int) -> [MappingLoss.Visit] {
    carryingReads.visits(of: property, entity: entity).map {
      MappingLoss.Visit(entityMapping: mappings[$0.reader].name, objects: $0.objects)
    }.sorted { ($0.entityMapping, $0.objects.description) < ($1.entityMapping, $1.objects.description) }
  }

  /// Returns true if functions get the entity's objects, and may read any property.
  func isHandedToFunction(_ entity: Int) -> Bool { carryingReads.handedToFunctions.contains(entity) }

  /// Returns true if the entity mapping, or another one that takes some of the same objects, reads the property.
  ///
  /// - Parameter coversAll: True to count other mappings only if they certainly take all of the objects.
  private func isRead(
    _ property: PropertyReference, of source: Int, by fact: EntityMappingFact, coversAll: Bool
  ) -> Bool {
    let reads = coversAll ? carryingReads : self.reads
    if coversAll ? reads.isWhollyReadByOthers(property, of: source) : reads.isReadByOthers(property, of: source) {
      return true
    }
    let readers = reads.readers(of: property, entity: source).map { mappings[$0] }
    return readers.contains { reader in
      if reader.number == fact.number || reader.takesEverything || reader.takesSameObjects(as: fact) {
        return true
      }
      guard !coversAll else { return false }
      guard let one = reader.mapping.filter, let other = fact.mapping.filter else { return true }
      let cases = FilterCases([one, other]) { pair.source.property(named: $0, of: source)?.property }
      return cases?.canPass(0, 1) ?? true
    }
  }

  /// The missing properties of each entity mapping, and whether they are dropped by name.
  ///
  /// - Parameter coversAll: True to count another mapping's reads only if that mapping is certain to cover all of the
  ///   same objects, and to include entity mappings that only create additional objects: there may be objects that no
  ///   other mapping takes.
  func all(coversAll: Bool = false) -> [Missing] {
    func find(_ facts: [EntityMappingFact]) -> [Missing] {
      facts.map { fact in (fact, gone(fact, coversAll: coversAll).map { ($0, isDropped($0, by: fact)) }) }
    }
    return coversAll ? find(mappings.filter { $0.destination != nil }) : missing { find(successions) }
  }

  private func gone(_ fact: EntityMappingFact, coversAll: Bool) -> [PropertyReference] {
    guard let source = fact.source else { return [] }
    // A function that gets the object can read any property. So can a policy. Losses are listed anyway.
    if !coversAll, !fact.isCustom, reads.handedOver.contains(source) { return [] }
    let reads = coversAll ? carryingReads : self.reads
    return unkept(by: fact, of: source).filter(losable.contains).flatMap { property in
      reads.parts(of: property, entity: source).filter { !isRead($0, of: source, by: fact, coversAll: coversAll) }
    }
  }

  /// The properties of the source entity that have no stored counterpart in the destination entity, or are dropped although
  /// they have one, sorted by name.
  private func unkept(by fact: EntityMappingFact, of source: Int) -> [PropertyReference] {
    let olds = pair.source.properties(of: source)
    guard let destination = fact.destination else { return olds }
    guard (fact.description.copying ?? copying) == .everything else {
      return olds.filter { fact.destinationProperties[$0.name]?.isWritable != true || isDropped($0, by: fact) }
    }
    let news = pair.destination.properties(of: destination)
    return pair.match(source, destination).pairs.compactMap { old, new in
      guard let old, new.map({ news[$0].isWritable }) != true || isDropped(olds[old], by: fact) else { return nil }
      return olds[old]
    }
  }

  /// Returns true if the destination entity has the property, but not in the store.
  func isUnstored(_ property: PropertyReference, in fact: EntityMappingFact) -> Bool {
    fact.destinationProperties.values.contains {
      !$0.isWritable && ($0.renamingIdentifier ?? $0.name) == property.name
    }
  }

  private func candidates(for property: PropertyReference, in fact: EntityMappingFact) -> [RenamingCandidate] {
    let new = added[fact.number, default: []]
    let old = NameLikeness(property.lastName)
    // Comparing names takes time, and a match among so many candidates is unlikely.
    let comparesNames = new.count <= Self.mostComparedNames
    let candidates = new.compactMap { candidate -> RenamingCandidate? in
      // In real histories, an attribute that makes way for a relationship became an object of its own, not another name.
      guard candidate.mappingKind == property.mappingKind else { return nil }
      if case .relationship(let relationship) = candidate, filled.isFilledFromInverse(relationship) { return nil }
      let isAlike = comparesNames && old.resembles(NameLikeness(candidate.name))
      let isCompatible = isCompatible(property, candidate)
      // Converting values is what policies are for.
      guard isCompatible || (isAlike && !fact.isCustom) else { return nil }
      return RenamingCandidate(candidate, replacing: property, isAlike: isAlike, isCompatible: isCompatible)
    }
    return candidates.sorted { rank($0, of: property) < rank($1, of: property) }
  }

  /// Ranks properties with a similar name first, then those whose type can hold every value.
  private func rank(_ candidate: RenamingCandidate, of property: PropertyReference) -> (Int, String) {
    let name = candidate.property.name
    if candidate.isAlike { return (candidate.isCompatible ? 0 : 1, name) }
    if case .attribute(let new) = candidate.property, case .attribute(let old) = property {
      return (copy(old, new) == .exact ? 2 : 3, name)
    }
    return (2, name)
  }

  private func isCompatible(_ old: PropertyReference, _ new: PropertyReference) -> Bool {
    switch (old, new) {
    case (.attribute(let old), .attribute(let new)): return copy(old, new) != .impossible
    case (.relationship(let old), .relationship(let new)):
      guard !old.isToMany || new.isToMany, let given = pair.source.entity(named: old.destinationEntityName),
        let wanted = pair.destination.entity(named: new.destinationEntityName), let became = pair.successors[given]
      else { return false }
      return pair.destination.areRelated(became, wanted)
    default: return false
    }
  }

  private func copy(_ old: AttributeDescription, _ new: AttributeDescription) -> AttributeCopy {
    AttributeCopy(from: old, in: pair.source.model, to: new, in: pair.destination.model)
  }
}

extension PropertyReference {
  /// The name of an attribute; of an element, without the path to it.
  fileprivate var lastName: String { name.split(separator: ".").last.map(String.init) ?? name }
}
