import Heavylift
import HeavyliftStore

/// The keys of a store's objects by entity, one bit each.
final class StoredKeys {
  private let store: PersistentStore
  /// The keys by `Z_ENT`.
  private var keys: [Int: KeySet] = [:]
  /// The hierarchies that were read, by the `Z_ENT` of their roots.
  private var read: Set<Int> = []

  init(_ store: PersistentStore) { self.store = store }

  /// Takes the keys of all objects from a scan of the store.
  func take(_ scan: StructuralScan) {
    keys = scan.keys
    read = Set(store.layout.entities.map(\.rootNumber))
  }

  /// Reads the keys of one hierarchy, once.
  func read(hierarchy root: Int) throws {
    guard read.insert(root).inserted else { return }
    try store.forEachKey(ofHierarchy: root) { number, key in keys[number, default: KeySet()].insert(key) }
  }

  func keys(ofEntity number: Int) -> KeySet { keys[number] ?? KeySet() }
}
