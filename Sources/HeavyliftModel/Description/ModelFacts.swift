import Synchronization

/// Facts that follow from a model, found once and shared by its copies until one of them changes: large models are asked
/// for them all the time.
final class ModelFacts: Sendable {
  private let places = Mutex<[String: Int]?>(nil)
  private let hashes = Mutex<[String: EntityVersionHash]?>(nil)

  /// The place of an entity in the model; the first of those that share a name.
  func place(ofEntityNamed name: String, _ entities: [EntityDescription]) -> Int? {
    places.withLock { places in
      if let places { return places[name] }
      let found = Dictionary(
        zip(entities.map(\.name), entities.indices), uniquingKeysWith: { first, _ in first })
      places = found
      return found[name]
    }
  }

  /// The version hashes, computed with the first call.
  func versionHashes(_ compute: () -> [String: EntityVersionHash]) -> [String: EntityVersionHash] {
    if let known = hashes.withLock({ $0 }) { return known }
    let computed = compute()
    hashes.withLock { $0 = computed }
    return computed
  }
}
