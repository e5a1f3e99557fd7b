import Synchronization

/// Facts derived from a model, cached and shared by its copies until one of them changes: callers ask large models
/// for them all the time.
final class ModelFacts: Sendable {
  private let places = Mutex<[String: Int]?>(nil)
  private let hashes = Mutex<[String: EntityVersionHash]?>(nil)

  /// Returns the index of an entity in the model; the first one if several share the name.
  func place(ofEntityNamed name: String, _ entities: [EntityDescription]) -> Int? {
    places.withLock { places in
      if let places { return places[name] }
      let found = Dictionary(
        zip(entities.map(\.name), entities.indices), uniquingKeysWith: { first, _ in first })
      places = found
      return found[name]
    }
  }

  /// Returns the version hashes, computed on the first call.
  func versionHashes(_ compute: () -> [String: EntityVersionHash]) -> [String: EntityVersionHash] {
    if let known = hashes.withLock({ $0 }) { return known }
    let computed = compute()
    hashes.withLock { $0 = computed }
    return computed
  }
}
