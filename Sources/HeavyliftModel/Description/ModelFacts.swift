import HeavyliftConcurrency

/// Facts derived from a model, cached because callers need them again and again. A model and its copies share the cache
/// until one of them changes.
///
/// None of the facts contains the model: it would never be released.
final class ModelFacts: Sendable {
  let state = ManagedObjectModel.State()
  /// The version hashes, with the reasons to doubt them.
  let entityVersionHashes = Once<[String: EntityVersionHash]>()
  let versionHashes = Once<[String: VersionHash]>()
  let hashedNames = Once<Set<String>>()
  let versionChecksum = Once<String>()
  /// The facts that other modules derive from the model.
  let derived = Locked<[AnyHashable: any Sendable]>([:])
  /// The findings of the model check.
  let diagnostics = Once<[Diagnostic]>()
  let tables = Once<ModelTables>()
  /// The latest comparisons with other models.
  let comparisons = Locked<[ModelPair.Comparison]>([])
  private let places = Once<[String: Int]>()
  private let attributes = Locked(Inherited<AttributeDescription>())
  private let relationships = Locked(Inherited<RelationshipDescription>())

  /// A hierarchy of ten thousand levels has fifty million inherited properties, which must not stay in memory.
  static let mostInheritedProperties = 16_384

  /// The own and inherited properties of entities, of one kind.
  private struct Inherited<Property: Sendable>: Sendable {
    struct Properties {
      let own: [Property]
      let superentityName: String?
      let all: [Property]
    }

    private(set) var byEntity: [String: Properties] = [:]
    private var count = 0

    mutating func remember(_ properties: Properties, of entity: String) {
      guard count + properties.all.count <= mostInheritedProperties else { return }
      count += properties.all.count
      byEntity[entity] = properties
    }
  }

  /// Returns the index of an entity in the model; the first one if several share the name.
  func place(ofEntityNamed name: String, _ entities: [EntityDescription]) -> Int? {
    let places = places {
      Dictionary(zip(entities.map(\.name), entities.indices), uniquingKeysWith: { first, _ in first })
    }
    return places[name]
  }

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
}

extension Array {
  /// True if both arrays are copies of the same one, which takes no comparison of elements.
  fileprivate func isCopy(of other: Self) -> Bool {
    guard count == other.count, !isEmpty else { return count == other.count }
    return withUnsafeBufferPointer { own in other.withUnsafeBufferPointer { own.baseAddress == $0.baseAddress } }
  }
}

extension ManagedObjectModel {
  /// Identifies a state of a model, which its copies share, without keeping its facts.
  package final class State: Hashable, Sendable {
    package static func == (left: State, right: State) -> Bool { left === right }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }

  /// The current state, apart from the name.
  package var state: State { facts.state }

  /// Returns what another module derives from this model, computed on the first call and cached until the model changes.
  package func remembered<Fact: Sendable>(_ key: some Hashable & Sendable, _ compute: () -> Fact) -> Fact {
    let key = AnyHashable(key)
    if let known = facts.derived.withLock({ $0[key] }) as? Fact { return known }
    WorkCount.add(.derive, "\(Fact.self) of \(title)")
    let computed = compute()
    facts.derived.withLock {
      // The layouts of a model differ in its stores.
      if $0.count == Self.mostDerivedFacts { $0 = [:] }
      $0[key] = computed
    }
    return computed
  }

  private static let mostDerivedFacts = 8
}
