import HeavyliftConcurrency
import HeavyliftModel

/// The facts about a complete mapping that rules read, each of them worked out once.
///
/// They do not depend on policies, functions or a store, so all checks of a mapping share them, and so does whatever else
/// asks what it loses. The complete mapping keeps them, so they do not contain it.
final class MappingFacts: Sendable {
  let pair: ModelPair
  let mappingModel: MappingModel
  let isLast: Bool
  let mappings: [EntityMappingFact]
  /// Every destination property of every mapping that creates objects or may create them.
  let properties: [PropertyMappingFact]
  /// The distinct names of the entity mappings, sorted.
  let names: [String]
  /// The entity mappings of earlier mapping models, in order.
  let earlierMappings: [EntityMappingFact]
  let drops: DroppedProperties
  /// The findings of earlier checks.
  let checks = Locked<[KnownCode: [Diagnostic]]>([:])
  private let byName: [String: EntityMappingFact]
  private let bySource: [Int: [EntityMappingFact]]
  private let byDestination: [Int: [EntityMappingFact]]

  private let onceCoverage = Once<EntityCoverage>()
  private let onceFilled = Once<FilledRelationships>()
  private let onceFilledByMappings = Once<FilledRelationships>()
  private let onceReads = Once<SourceReads>()
  private let onceCarryingReads = Once<SourceReads>()
  private let onceGone = Once<GoneProperties>()
  private let onceLosses = Once<[MappingLoss]>()
  private let onceUnread = Once<UnreadProperties>()
  private let onceRenamed = Once<RenamedEntities>()

  init(_ complete: CompleteMappingModel) {
    let pair = ModelPair(
      from: complete.sourceModel, to: complete.destinationModel, succession: complete.mappingModel.succession)
    self.pair = pair
    (mappingModel, isLast) = (complete.mappingModel, complete.isLast)
    var presumption = PresumedNames()
    let mappings = complete.entityMappings.enumerated().map { number, mapping in
      EntityMappingFact(mapping, number: number, pair, &presumption)
    }
    self.mappings = mappings
    properties = mappings.flatMap { PropertyMappingFact.all(of: $0) }
    // The numbers are negative, because these mappings run before all others.
    let earlier = complete.earlierEntityMappings.enumerated().map { number, mapping in
      EntityMappingFact(mapping, number: number - complete.earlierEntityMappings.count, pair, &presumption)
    }
    earlierMappings = earlier
    let byName = Dictionary(mappings.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    self.byName = Dictionary(earlier.map { ($0.name, $0) }, uniquingKeysWith: { $1 }).merging(byName) { $1 }
    names = self.byName.keys.sorted()
    var (bySource, byDestination): ([Int: [EntityMappingFact]], [Int: [EntityMappingFact]]) = ([:], [:])
    for mapping in mappings {
      if let entity = mapping.source { bySource[entity, default: []].append(mapping) }
      if let entity = mapping.destination { byDestination[entity, default: []].append(mapping) }
    }
    (self.bySource, self.byDestination) = (bySource, byDestination)
    drops = DroppedProperties(mappings, pair.source)
  }

  var source: ModelIndex { pair.source }
  var destination: ModelIndex { pair.destination }

  /// Returns the first mapping with that name, or else the last mapping with that name in the earlier mapping models.
  func mapping(named name: String) -> EntityMappingFact? { byName[name] }

  /// Returns true if an earlier mapping model takes objects of that entity, sub-entities excluded.
  func isTakenEarlier(_ entity: Int) -> Bool {
    let name = source.model.entities[entity].name
    return earlierMappings.contains { $0.mapping.takenEntities.contains(name) }
  }

  /// Returns true if an earlier mapping model creates objects of that entity, sub-entities excluded.
  func isMadeEarlier(_ entity: Int) -> Bool { earlierMappings.contains { $0.destination == entity } }

  /// The mappings that take objects of that entity, sub-entities excluded.
  func mappings(from entity: Int) -> [EntityMappingFact] { bySource[entity] ?? [] }

  /// The mappings that create objects of that entity, sub-entities excluded.
  func mappings(to entity: Int) -> [EntityMappingFact] { byDestination[entity] ?? [] }

  /// Returns true if the mapping is the first to create objects from objects of its source entity.
  func isFirstTaker(_ fact: EntityMappingFact) -> Bool {
    guard let entity = fact.source, fact.destination != nil else { return false }
    return mappings(from: entity).first { $0.destination != nil } === fact
  }

  /// Returns the copying rule of an entity mapping.
  func copying(_ fact: EntityMappingFact) -> ConservativeCopy { fact.description.copying ?? mappingModel.copying }

  // MARK: Facts that not all rules need

  var coverage: EntityCoverage { onceCoverage { EntityCoverage(self) } }
  /// The relationships that get objects, assuming that a policy fills all those of its mapping.
  var filled: FilledRelationships { onceFilled { FilledRelationships(self) } }
  /// The relationships that get objects, not counting what policies do.
  var filledByMappings: FilledRelationships {
    onceFilledByMappings { FilledRelationships(self, countsPolicies: false) }
  }
  var reads: SourceReads { onceReads { SourceReads(self) } }
  /// The reads that do more than test the value.
  var carryingReads: SourceReads {
    onceCarryingReads { reads.hasTests ? SourceReads(self, countsTests: false) : reads }
  }
  var losable: LosableProperties { LosableProperties(source: source, coverage: coverage) }
  var gone: GoneProperties { onceGone { GoneProperties(self) } }
  /// One entry for each source property that an entity mapping does not migrate.
  var losses: [MappingLoss] { onceLosses { gone.losses() } }
  var unread: UnreadProperties { onceUnread { UnreadProperties(self) } }
  var renamed: RenamedEntities { onceRenamed { RenamedEntities(self) } }
}
