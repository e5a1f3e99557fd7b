import HeavyliftExpression
import HeavyliftModel

/// The entities whose objects a mapping takes and creates, and those that it leaves out.
struct EntityCoverage: Sendable {
  /// True if a mapping names an unknown entity.
  let hasUnknownEntity: Bool
  /// The source entities that can have objects of their own, which no entity mapping takes. Of several mapping models that
  /// fill one store, only the last one reports them.
  let dropped: Set<Int>
  /// The destination entities that can have objects of their own, which no entity mapping creates. Of several mapping
  /// models that fill one store, only the last one reports them.
  let unfilled: Set<Int>
  private let source: ModelIndex
  /// Source entities whose objects a mapping migrates.
  private let migrated: Set<Int>

  init(_ facts: MappingFacts) {
    let (source, destination) = (facts.source, facts.destination)
    let unknownSources = facts.mappings.filter(\.hasUnknownSource).compactMap(\.mapping.sourceEntityName)
    let unknownDestinations = facts.mappings.filter { $0.destination == nil }
      .compactMap(\.mapping.destinationEntityName)
    hasUnknownEntity = !unknownSources.isEmpty || !unknownDestinations.isEmpty
    // Entities that a misspelled name probably refers to.
    var presumption = PresumedNames()
    let presumedSources = Set(unknownSources.compactMap { presumption.entity(for: $0, in: source) })
    // If a mapping names no destination although its type requires one, the entity with the same name as its source is
    // probably meant.
    let missing = facts.mappings.filter { fact in
      fact.mapping.destinationEntityName == nil
        && [.copy, .transform, .add].contains(fact.description.givenType ?? .undefined)
    }
    let presumedDestinations = Set(
      unknownDestinations.compactMap { presumption.entity(for: $0, in: destination) }
        + missing.compactMap { destination.entity(named: $0.mapping.sourceEntityName) })
    let taken = Set(facts.mappings.flatMap { $0.mapping.takenEntities.compactMap { source.entity(named: $0) } })
    // Their source expressions may return objects of any related entity.
    let open = Set(
      facts.mappings.filter { $0.description.sourceExpression.map(\.fetchedEntities.isEmpty) ?? false }
        .compactMap(\.source))
    self.source = source
    migrated = Set(facts.mappings.filter { $0.mapping.destinationEntityName != nil }.compactMap(\.source))
    dropped = Set(
      source.model.entities.indices.filter { entity in
        facts.isLast && !source.model.entities[entity].isAbstract && !taken.contains(entity)
          && !presumedSources.contains(entity) && !open.contains { source.areRelated(entity, $0) }
          && !facts.isTakenEarlier(entity)
      })
    unfilled = Set(
      destination.model.entities.indices.filter { entity in
        facts.isLast && !destination.model.entities[entity].isAbstract && facts.mappings(to: entity).isEmpty
          && !presumedDestinations.contains(entity) && !facts.isMadeEarlier(entity)
      })
  }

  /// Returns true if no objects of the source entity, or of entities that inherit from it, will be migrated.
  func isRemovedOrDropped(_ entity: Int) -> Bool {
    source.entityAndSubentities(of: entity).prefix(100).allSatisfy { !migrated.contains($0) }
  }
}
