import HeavyliftConcurrency

/// Facts derived from a model, cached because callers need them again and again. A model and its copies share the cache
/// until one of them changes.
final class ModelFacts: Sendable {
  private let places = Locked<[String: Int]?>(nil)
  private let hashes = Locked<[String: EntityVersionHash]?>(nil)
  private let checksum = Locked<String?>(nil)
  private let fingerprints = Locked<[String: [String: String]]?>(nil)

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
    Self.remember(hashes, compute)
  }

  /// Returns the version checksum, computed on the first call.
  func versionChecksum(_ compute: () -> String) -> String { Self.remember(checksum, compute) }

  /// Returns a digest of each property, by entity and property, computed on the first call.
  func fingerprints(_ compute: () -> [String: [String: String]]) -> [String: [String: String]] {
    Self.remember(fingerprints, compute)
  }

  private static func remember<Fact: Sendable>(_ fact: Locked<Fact?>, _ compute: () -> Fact) -> Fact {
    if let known = fact.withLock({ $0 }) { return known }
    let computed = compute()
    fact.withLock { $0 = computed }
    return computed
  }
}

extension ManagedObjectModel {
  /// Digests of this model that another module computes, cached until the model changes.
  package func rememberedFingerprints(
    _ compute: () -> [String: [String: String]]
  ) -> [String: [String: String]] {
    facts.fingerprints(compute)
  }
}
