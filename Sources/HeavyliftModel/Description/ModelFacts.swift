import HeavyliftConcurrency

/// Facts derived from a model, cached because callers need them again and again. A model and its copies share the cache
/// until one of them changes.
final class ModelFacts: Sendable {
  private let places = Locked<[String: Int]?>(nil)
  private let hashes = Locked<[String: EntityVersionHash]?>(nil)
  private let checksum = Locked<String?>(nil)
  private let fingerprints = Locked<[String: [String: String]]?>(nil)
  private let diagnostics = Locked<[Diagnostic]?>(nil)
  private let attributes = Locked(Inherited<AttributeDescription>())
  private let relationships = Locked(Inherited<RelationshipDescription>())

  /// The own and inherited properties of entities, of one kind.
  private struct Inherited<Property: Sendable>: Sendable {
    struct Properties {
      let own: [Property]
      let superentityName: String?
      let all: [Property]
    }

    /// A hierarchy of ten thousand levels has fifty million inherited properties, which must not stay in memory.
    static var mostProperties: Int { 16_384 }

    private(set) var byEntity: [String: Properties] = [:]
    private var count = 0

    mutating func remember(_ properties: Properties, of entity: String) {
      guard count + properties.all.count <= Self.mostProperties else { return }
      count += properties.all.count
      byEntity[entity] = properties
    }
  }

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

  /// Returns the findings of the model check, computed on the first call.
  func diagnostics(_ compute: () -> [Diagnostic]) -> [Diagnostic] { Self.remember(diagnostics, compute) }

  /// Returns own and inherited attributes of an entity, computed on the first call.
  func attributes(of entity: EntityDescription, _ compute: () -> [AttributeDescription]) -> [AttributeDescription] {
    Self.remember(attributes, of: entity, entity.attributes, compute)
  }

  /// Returns own and inherited relationships of an entity, computed on the first call.
  func relationships(
    of entity: EntityDescription, _ compute: () -> [RelationshipDescription]
  ) -> [RelationshipDescription] {
    Self.remember(relationships, of: entity, entity.relationships, compute)
  }

  /// A caller may pass an entity that differs from the model's own one of that name.
  private static func remember<Property>(
    _ inherited: Locked<Inherited<Property>>, of entity: EntityDescription, _ own: [Property],
    _ compute: () -> [Property]
  ) -> [Property] {
    if let known = inherited.withLock({ $0.byEntity[entity.name] }), known.superentityName == entity.superentityName,
      known.own.isCopy(of: own)
    {
      return known.all
    }
    let all = compute()
    inherited.withLock {
      $0.remember(.init(own: own, superentityName: entity.superentityName, all: all), of: entity.name)
    }
    return all
  }

  private static func remember<Fact: Sendable>(_ fact: Locked<Fact?>, _ compute: () -> Fact) -> Fact {
    if let known = fact.withLock({ $0 }) { return known }
    let computed = compute()
    fact.withLock { $0 = computed }
    return computed
  }
}

extension Array {
  /// True if both arrays are copies of the same one, which takes no comparison of elements.
  fileprivate func isCopy(of other: Self) -> Bool {
    guard count == other.count, !isEmpty else { return count == other.count }
    return withUnsafeBufferPointer { own in other.withUnsafeBufferPointer { own.baseAddress == $0.baseAddress } }
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
