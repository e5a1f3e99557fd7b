import HeavyliftModel

/// Removed source entities that may have been renamed to new destination entities.
struct RenamedEntities: Sendable {
  // Comparing each removed entity with each new one takes time, and a match among so many is unlikely.
  private static let mostCompared = 100

  private struct Property: Hashable {
    var name: String
    var kind: PropertyMappingDescription.Kind?
  }

  private var candidates: [Int: String] = [:]

  init(_ facts: MappingFacts) {
    let (source, destination, pair) = (facts.source, facts.destination, facts.pair)
    // New entities that get no objects.
    let added = destination.model.entities.indices.filter { entity in
      pair.predecessors[entity] == nil && !destination.model.entities[entity].isAbstract
        && facts.mappings(to: entity).allSatisfy { $0.source == nil && !$0.isCustom }
        && !facts.isMadeEarlier(entity)
    }
    guard !added.isEmpty, added.count <= Self.mostCompared else { return }
    let new = added.map { ($0, Self.properties(of: $0, in: destination) { pair.predecessors[$0] == nil }) }
    for entity in source.model.entities.indices where pair.successors[entity] == nil {
      guard !source.model.entities[entity].isAbstract,
        facts.mappings(from: entity).allSatisfy({ $0.mapping.destinationEntityName == nil && !$0.isCustom }),
        !facts.isTakenEarlier(entity)
      else { continue }
      let old = Self.properties(of: entity, in: source) { pair.successors[$0] == nil }
      let similar = new.map { (entity: $0, count: $1.intersection(old).count, all: $1.count) }
      let best = similar.filter { 2 * $0.count > max($0.all, old.count) }.max { $0.count < $1.count }
      candidates[entity] = best.map { destination.model.entities[$0.entity].name }
    }
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
  func candidate(for entity: Int) -> String? { candidates[entity] }
}
