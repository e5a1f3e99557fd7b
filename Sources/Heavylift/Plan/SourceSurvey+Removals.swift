import HeavyliftExpression
import HeavyliftMapping
import HeavyliftStore

extension SourceSurvey {
  /// Finds the keys of the source objects that entity mappings without a policy remove with a filter.
  ///
  /// - Throws: `MigrationError` if it cannot be known which objects are removed: they would be removed in silence.
  mutating func findRemovedKeys() throws {
    for (mappingIndex, mapping) in stores.mappings.enumerated()
    where mapping.destinationEntityName == nil && mapping.policyClassName == nil {
      let filter: MappingPredicate?
      do {
        filter = try stores.filter(of: mapping)
      } catch {
        throw MigrationError(
          .migration, occasion: .init(mapping: mapping.name),
          problem: "which objects it removes is not known: \(error.reason)",
          remedy: "write a filter, or fetch objects of its source entity with a predicate")
      }
      guard let entity = mapping.sourceEntityName, let filter else { continue }
      var request = FetchRequest(entityName: entity)
      request.includesSubentities = false
      request.predicate = filter
      var keys = KeySet()
      try stores.evaluatingFilter(of: mapping.name) {
        try ManagedObjectContext(store: stores.sourceStore).enumerate(request) { keys.insert($0.primaryKey) }
      }
      removedKeys[mappingIndex] = keys
    }
  }

  /// Returns the number of objects that an entity mapping removes: those that match its filter or, without a filter, those
  /// that no other entity mapping takes; nil for all objects of the entity, or if the number is not known in advance.
  func removedCount(_ mappingIndex: Int) -> Int? {
    if let keys = removedKeys[mappingIndex] { return keys.count }
    let mapping = stores.mappings[mappingIndex]
    guard mapping.policyClassName == nil, let entity = mapping.sourceEntityName, let count = counts[entity] else {
      return nil
    }
    let others = stores.mappings.indices.filter {
      $0 != mappingIndex && stores.mappings[$0].takenEntities.contains(entity)
    }
    if others.isEmpty { return nil }
    var taken = KeySet()
    for other in others {
      guard let keys = removedKeys[other] ?? knownKeys(other) else { return nil }
      taken.formUnion(keys)
    }
    return count - taken.count
  }

  /// Throws if the source has objects that no entity mapping takes, because they do not match the filter of the entity
  /// mapping that removes objects of their entity.
  func checkRemovals() throws {
    guard !stores.dropsUnmentioned, stores.mappings.allSatisfy({ $0.policyClassName == nil }) else { return }
    var mappingIndexes: [String: [Int]] = [:]
    for (mappingIndex, mapping) in stores.mappings.enumerated() {
      for name in mapping.takenEntities { mappingIndexes[name, default: []].append(mappingIndex) }
    }
    for (name, count) in counts.sorted(by: { $0.key < $1.key }) where count > 0 {
      let own = mappingIndexes[name] ?? []
      let removed = own.compactMap { removedKeys[$0] }
      guard !own.isEmpty, removed.count == own.count else { continue }
      var keys = KeySet()
      for some in removed { keys.formUnion(some) }
      guard keys.count < count else { continue }
      throw RowReconciliation.unexplained(count - keys.count, of: count, name, own.map { stores.mappings[$0].name })
    }
  }
}
