import HeavyliftModel

/// Which entities have mappings, and which probably have one whose name is misspelt.
struct EntityCoverage {
  private let mapping: MappingIndex
  /// Whether some mapping names an entity that there is not.
  let hasUnknownEntity: Bool
  private let presumedSources: Set<Int>
  private let presumedDestinations: Set<Int>
  /// Source entities whose objects a source expression of somebody's own may fetch.
  private let fetched: Set<Int>
  /// Whether a source expression may fetch objects of any entity.
  private let mayFetchAnything: Bool

  init(_ mapping: MappingIndex) {
    self.mapping = mapping
    let unknownSources = mapping.mappings.filter(\.hasUnknownSource).compactMap(\.mapping.sourceEntityName)
    let unknownDestinations = mapping.mappings.filter { $0.destination == nil }
      .compactMap(\.mapping.destinationEntityName)
    hasUnknownEntity = !unknownSources.isEmpty || !unknownDestinations.isEmpty
    var presumption = PresumedNames()
    presumedSources = Set(unknownSources.compactMap { presumption.entity(for: $0, in: mapping.source) })
    // A mapping whose type asks for a destination that it does not name would probably have had that of its source.
    let missing = mapping.mappings.filter { fact in
      fact.mapping.destinationEntityName == nil
        && [.copy, .transform, .add].contains(fact.description.givenType ?? .undefined)
    }
    presumedDestinations = Set(
      unknownDestinations.compactMap { presumption.entity(for: $0, in: mapping.destination) }
        + missing.compactMap { mapping.destination.entity(named: $0.mapping.sourceEntityName) })
    var (fetched, mayFetchAnything): (Set<Int>, Bool) = ([], false)
    for fact in mapping.mappings {
      guard let expression = fact.description.sourceExpression else { continue }
      let names = expression.fetchedEntities
      if names.isEmpty { mayFetchAnything = true }
      fetched.formUnion(names.compactMap { mapping.source.entity(named: $0) })
    }
    (self.fetched, self.mayFetchAnything) = (fetched, mayFetchAnything)
  }

  /// Whether no entity mapping takes objects of that very source entity, where there can be any. Of mapping models that
  /// run one after the other, the last one answers for all.
  func isDropped(_ entity: Int) -> Bool {
    mapping.complete.isLast && !mapping.source.model.entities[entity].isAbstract
      && mapping.mappings(from: entity).isEmpty
      && !presumedSources.contains(entity) && !fetched.contains(entity) && !mayFetchAnything
      && !mapping.isTakenEarlier(entity)
  }

  /// Whether no objects of a source entity, or of those that inherit from it, are to come over.
  func isRemovedOrDropped(_ entity: Int) -> Bool {
    mapping.source.entityAndSubentities(of: entity).prefix(100).allSatisfy { entity in
      mapping.mappings(from: entity).allSatisfy { $0.mapping.destinationEntityName == nil }
    }
  }

  /// Whether no entity mapping makes objects of that very destination entity, where there can be any; answered by the last
  /// mapping model, too.
  func isUnfilled(_ entity: Int) -> Bool {
    mapping.complete.isLast && !mapping.destination.model.entities[entity].isAbstract
      && mapping.mappings(to: entity).isEmpty
      && !presumedDestinations.contains(entity) && !mapping.isMadeEarlier(entity)
  }

  /// The source entity that a destination entity was, by name or by its renaming identifier.
  func origin(of entity: Int) -> Int? {
    let entity = mapping.destination.model.entities[entity]
    return mapping.source.entity(named: entity.renamingIdentifier) ?? mapping.source.entity(named: entity.name)
  }
}
