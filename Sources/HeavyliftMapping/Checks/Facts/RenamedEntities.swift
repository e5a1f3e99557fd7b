import HeavyliftModel

/// New destination entities that removed source entities may have been renamed to.
struct RenamedEntities {
  // Comparing each removed entity with each new one takes time, and a match among so many is unlikely.
  private static let mostCompared = 100

  private struct Property: Hashable {
    var name: String
    var kind: PropertyMappingDescription.Kind?
  }

  private let mapping: MappingIndex
  private let counterparts: EntityCounterparts
  /// New entities that get no objects, and the properties that are new with them.
  private let added: [(entity: Int, properties: Set<Property>)]

  init(_ mapping: MappingIndex) {
    self.mapping = mapping
    let counterparts = EntityCounterparts(mapping)
    self.counterparts = counterparts
    let known = Set(mapping.source.model.entities.indices.compactMap { counterparts[$0] })
    let added = mapping.destination.model.entities.indices.filter { entity in
      !known.contains(entity) && !mapping.destination.model.entities[entity].isAbstract
        && mapping.mappings(to: entity).allSatisfy { $0.source == nil && !$0.isCustom }
        && !mapping.isMadeEarlier(entity)
    }
    self.added =
      added.count > Self.mostCompared
      ? [] : added.map { ($0, Self.properties(of: $0, in: mapping.destination) { !known.contains($0) }) }
  }

  /// The properties that an entity declares or inherits from those entities. Ancestors that still exist do not count:
  /// every new sub-entity has their properties.
  private static func properties(of entity: Int, in model: ModelIndex, from isIncluded: (Int) -> Bool) -> Set<Property>
  {
    Set(
      model.propertyNames(of: entity).compactMap { name in
        guard let (property, owner) = model.property(named: name, of: entity), isIncluded(owner) else { return nil }
        return Property(name: name, kind: property.mappingKind)
      })
  }

  /// Returns the new entity that has the most properties of a removed entity, if that is more than half of the properties
  /// of each; nil if the entity still exists or if a mapping migrates its objects.
  func candidate(for entity: Int) -> String? {
    guard !added.isEmpty, counterparts[entity] == nil, !mapping.source.model.entities[entity].isAbstract,
      mapping.mappings(from: entity).allSatisfy({ $0.mapping.destinationEntityName == nil && !$0.isCustom }),
      !mapping.isTakenEarlier(entity)
    else { return nil }
    let old = Self.properties(of: entity, in: mapping.source) { counterparts[$0] == nil }
    let similar = added.map {
      (entity: $0.entity, count: $0.properties.intersection(old).count, all: $0.properties.count)
    }
    let best = similar.filter { 2 * $0.count > max($0.all, old.count) }.max { $0.count < $1.count }
    return best.map { mapping.destination.model.entities[$0.entity].name }
  }
}
