/// The objects of one store that became objects of another, as the provenance of a migration says.
package struct ObjectMoves {
  /// The keys of the first store's objects that became others, by entity.
  private var sources: [String: KeySet] = [:]
  /// The keys of the second store's objects that came from others, by entity.
  private var destinations: [String: KeySet] = [:]
  /// The keys of the first store's objects that have a counterpart with the same key, by the two entities.
  private var pairs: [Pair: KeySet] = [:]
  /// The keys of the first store's objects that have a counterpart, by the two entities.
  private var counterparts: [Pair: KeySet] = [:]

  private struct Pair: Hashable {
    var source: String
    var destination: String
  }

  package init() {}

  /// Adds the fact that one object became another.
  package mutating func add(_ source: (entity: String, key: Int64), _ destination: (entity: String, key: Int64)) {
    let pair = Pair(source: source.entity, destination: destination.entity)
    _ = sources[source.entity, default: KeySet()].insert(source.key)
    _ = destinations[destination.entity, default: KeySet()].insert(destination.key)
    _ = counterparts[pair, default: KeySet()].insert(source.key)
    if source.key == destination.key { _ = pairs[pair, default: KeySet()].insert(source.key) }
  }

  /// Returns true if an object of the first store became the object of the second with the same key.
  func isSame(_ key: Int64, _ source: String, _ destination: String) -> Bool {
    pairs[Pair(source: source, destination: destination)]?.contains(key) ?? false
  }

  /// Returns true if an object of the first store became another.
  func hasSuccessor(_ key: Int64, _ entity: String) -> Bool { sources[entity]?.contains(key) ?? false }

  /// Returns true if an object of the second store came from another.
  func hasOrigin(_ key: Int64, _ entity: String) -> Bool { destinations[entity]?.contains(key) ?? false }

  /// The number of objects of an entity that became others.
  func successorCount(of entity: String) -> Int { sources[entity]?.count ?? 0 }

  /// The number of objects of an entity that came from others.
  func originCount(of entity: String) -> Int { destinations[entity]?.count ?? 0 }

  /// Returns the entities that the objects of an entity became, with the number of objects that became each, largest
  /// first.
  func destinations(of entity: String) -> [StoreDifference.Move.Destination] {
    counterparts.filter { $0.key.source == entity }.map { .init(entity: $0.key.destination, count: $0.value.count) }
      .sorted { ($1.count, $0.entity) < ($0.count, $1.entity) }
  }
}
