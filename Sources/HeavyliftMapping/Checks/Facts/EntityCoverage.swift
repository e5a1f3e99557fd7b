import HeavyliftModel

/// The entities that have mappings, and those that a misspelled name in a mapping probably refers to.
struct EntityCoverage {
  private let mapping: MappingIndex
  /// True if a mapping names an unknown entity.
  let hasUnknownEntity: Bool
  private let presumedSources: Set<Int>
  private let presumedDestinations: Set<Int>
  /// Source entities whose objects a mapping takes.
  private let taken: Set<Int>
  /// The source entities of mappings whose source expressions may return objects of any related entity.
  private let openSources: Set<Int>
  private let origins: [Int: Int]

  init(_ mapping: MappingIndex) {
    self.mapping = mapping
    let unknownSources = mapping.mappings.filter(\.hasUnknownSource).compactMap(\.mapping.sourceEntityName)
    let unknownDestinations = mapping.mappings.filter { $0.destination == nil }
      .compactMap(\.mapping.destinationEntityName)
    hasUnknownEntity = !unknownSources.isEmpty || !unknownDestinations.isEmpty
    var presumption = PresumedNames()
    presumedSources = Set(unknownSources.compactMap { presumption.entity(for: $0, in: mapping.source) })
    // If a mapping names no destination although its type requires one, the entity with the same name as its source is
    // probably meant.
    let missing = mapping.mappings.filter { fact in
      fact.mapping.destinationEntityName == nil
        && [.copy, .transform, .add].contains(fact.description.givenType ?? .undefined)
    }
    presumedDestinations = Set(
      unknownDestinations.compactMap { presumption.entity(for: $0, in: mapping.destination) }
        + missing.compactMap { mapping.destination.entity(named: $0.mapping.sourceEntityName) })
    taken = Set(mapping.mappings.flatMap { $0.mapping.takenEntities.compactMap { mapping.source.entity(named: $0) } })
    let open = mapping.mappings.filter { $0.description.sourceExpression.map(\.fetchedEntities.isEmpty) ?? false }
    openSources = Set(open.compactMap(\.source))
    origins = EntityCounterparts(mapping).origins
  }

  /// Returns true if the source entity can have objects of its own and no entity mapping takes them. Of several
  /// mapping models that fill one store, only the last one reports this.
  func isDropped(_ entity: Int) -> Bool {
    mapping.complete.isLast && !mapping.source.model.entities[entity].isAbstract
      && !taken.contains(entity) && !presumedSources.contains(entity)
      && !openSources.contains { mapping.source.areRelated(entity, $0) } && !mapping.isTakenEarlier(entity)
  }

  /// Returns true if no objects of the source entity, or of entities that inherit from it, will be migrated.
  func isRemovedOrDropped(_ entity: Int) -> Bool {
    mapping.source.entityAndSubentities(of: entity).prefix(100).allSatisfy { entity in
      mapping.mappings(from: entity).allSatisfy { $0.mapping.destinationEntityName == nil }
    }
  }

  /// Returns true if the destination entity can have objects of its own and no entity mapping creates them. Of several
  /// mapping models that fill one store, only the last one reports this.
  func isUnfilled(_ entity: Int) -> Bool {
    mapping.complete.isLast && !mapping.destination.model.entities[entity].isAbstract
      && mapping.mappings(to: entity).isEmpty
      && !presumedDestinations.contains(entity) && !mapping.isMadeEarlier(entity)
  }

  /// The source entity that a destination entity comes from, by renaming identifier or by name.
  func origin(of entity: Int) -> Int? { origins[entity] }
}
