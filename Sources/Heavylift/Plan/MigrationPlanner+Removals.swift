import HeavyliftExpression
import HeavyliftMapping
import HeavyliftStore

extension MigrationPlanner {
  /// Returns the keys of the source objects that entity mappings without a policy remove with a filter, by the
  /// mapping's index.
  func findRemovedKeys() throws -> [Int: KeySet] {
    var found: [Int: KeySet] = [:]
    for (place, mapping) in mappings.enumerated() {
      guard let entity = mapping.sourceEntityName, mapping.destinationEntityName == nil,
        mapping.policyClassName == nil, let filter = try? self.filter(of: mapping)
      else { continue }
      var request = FetchRequest(entityName: entity)
      request.includesSubentities = false
      request.predicate = filter
      var keys = KeySet()
      try ManagedObjectContext(store: sourceStore).enumerate(request) { keys.insert($0.primaryKey) }
      found[place] = keys
    }
    return found
  }

  /// Throws if the source has objects that no entity mapping takes, because they do not match the filter of the entity
  /// mapping that removes objects of their entity.
  func checkRemovals() throws {
    guard !dropsUnmentioned, mappings.allSatisfy({ $0.policyClassName == nil }) else { return }
    var places: [String: [Int]] = [:]
    for (place, mapping) in mappings.enumerated() {
      for name in mapping.takenEntities { places[name, default: []].append(place) }
    }
    for (name, count) in sourceCounts.sorted(by: { $0.key < $1.key }) where count > 0 {
      let own = places[name] ?? []
      let removed = own.compactMap { removedKeys[$0] }
      guard !own.isEmpty, removed.count == own.count else { continue }
      var keys = KeySet()
      for some in removed { keys.formUnion(some) }
      guard keys.count < count else { continue }
      throw RowReconciliation.unexplained(count - keys.count, of: count, name, own.map { mappings[$0].name })
    }
  }
}

extension CompleteEntityMapping {
  /// The source entity, and the entities that the source expression fetches.
  var takenEntities: Set<String> {
    Set([sourceEntityName].compactMap(\.self) + (description.sourceExpression?.fetchedEntities ?? []))
  }
}
