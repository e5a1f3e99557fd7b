import HeavyliftExpression
import HeavyliftMapping
import HeavyliftStore

extension SourceSurvey {
  /// Throws if the source has objects that no entity mapping takes, because they do not match the filter of the entity
  /// mapping that removes objects of their entity.
  func checkRemovals() throws {
    guard !stores.dropsUnmentioned, stores.mappings.allSatisfy({ $0.policyClassName == nil }) else { return }
    var places: [String: [Int]] = [:]
    for (place, mapping) in stores.mappings.enumerated() {
      for name in mapping.takenEntities { places[name, default: []].append(place) }
    }
    for (name, count) in counts.sorted(by: { $0.key < $1.key }) where count > 0 {
      let own = places[name] ?? []
      let removed = own.compactMap { removedKeys[$0] }
      guard !own.isEmpty, removed.count == own.count else { continue }
      var keys = KeySet()
      for some in removed { keys.formUnion(some) }
      guard keys.count < count else { continue }
      throw RowReconciliation.unexplained(count - keys.count, of: count, name, own.map { stores.mappings[$0].name })
    }
  }
}

extension CompleteEntityMapping {
  /// The source entity, and the entities that the source expression fetches.
  var takenEntities: Set<String> {
    Set([sourceEntityName].compactMap(\.self) + (description.sourceExpression?.fetchedEntities ?? []))
  }
}
