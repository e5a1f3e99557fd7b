import HeavyliftModel

/// How the contents of two stores differ, object by object.
///
/// ```swift
/// let difference = try StoreDifference(from: before, to: after)
/// for entity in difference.entities where entity.changed > 0 {
///   print(entity.name, entity.changedProperties)  // Book ["title": 3]
/// }
/// ```
///
/// An object of one store is the object of the other with the same entity and key; its properties are the same if a dump
/// tells them in the same way. Where the stores have different models, what both have is compared, and what only one has
/// is told. Memory does not grow with the stores: of the objects that differ all are counted and a few kept as examples.
public struct StoreDifference: Hashable, Sendable {
  /// What is compared and told.
  public struct Options: Hashable, Sendable {
    /// Whether examples tell values. Those are a user's data.
    public var includesValues = false
    /// Whether examples also tell the values of properties that only one store has, and of objects that only the second
    /// has. Takes effect with `includesValues`.
    public var includesLoneValues = false
    /// How many examples are kept of each entity and each kind of difference.
    public var exampleLimit = 5
    /// How much of a long value is told, in bytes.
    public var valueLimit = 200
    /// What an entity of the first store is called in the second, where that is another name.
    public var renamedEntities: [String: String] = [:]
    /// What a property of the first store is called in the second, by the first store's entity and property.
    public var renamedProperties: [String: [String: String]] = [:]

    /// Creates options: no values, and a few examples.
    public init() {}
  }

  /// A property whose value differs between the two.
  public struct ChangedProperty: Hashable, Sendable {
    public var name: String
    /// The value before as JSON, if values were asked for; a long one ends with `…`. `nil` for a property that the first
    /// store does not have.
    public var old: String?
    /// The value after as JSON, if values were asked for; a long one ends with `…`. `nil` for a property that the second
    /// store does not have.
    public var new: String?
  }

  /// An object that both have, with properties that differ.
  public struct ChangedObject: Hashable, Sendable {
    public var key: Int64
    /// Attributes first, each kind in order of name.
    public var properties: [ChangedProperty]
  }

  /// What differs in the objects of an entity that both have.
  public struct Entity: Hashable, Sendable {
    /// As the second store calls it.
    public var name: String
    /// What the first store calls it, if not the same.
    public var formerName: String?
    /// Objects that are the same in both.
    public var same = 0
    /// Objects that only the second store has.
    public var added = 0
    /// Objects that only the first store has.
    public var removed = 0
    /// Objects that both have, and that differ.
    public var changed = 0
    /// In how many objects each property differs.
    public var changedProperties: [String: Int] = [:]
    public var addedExamples: [Int64] = []
    /// The same with values, if lone values were asked for.
    public var addedObjects: [ChangedObject] = []
    public var removedExamples: [Int64] = []
    public var changedExamples: [ChangedObject] = []
    /// Properties that only the first store's model has; nothing is compared.
    public var onlyInFirst: [String] = []
    /// Properties that only the second store's model has; nothing is compared.
    public var onlyInSecond: [String] = []

    /// Whether the entity has the same properties and objects in both.
    public var isSame: Bool {
      added == 0 && removed == 0 && changed == 0 && onlyInFirst.isEmpty && onlyInSecond.isEmpty
    }
  }

  /// An entity that only one store's model has.
  public struct LoneEntity: Hashable, Sendable {
    public var name: String
    public var count: Int
    /// Examples with values of an entity that only the second store has, if lone values were asked for.
    public var examples: [ChangedObject] = []
  }

  /// The entities that both have, in order of name, without difference too.
  public internal(set) var entities: [Entity] = []
  public internal(set) var onlyInFirst: [LoneEntity] = []
  public internal(set) var onlyInSecond: [LoneEntity] = []
  /// The application's metadata that differs, by key.
  public internal(set) var metadataKeys: [String] = []
  /// Rows of join tables that belong to no object.
  public internal(set) var danglingLinks = DanglingLinks()

  /// Rows of join tables that belong to no object.
  public struct DanglingLinks: Hashable, Sendable {
    public var first = 0
    public var second = 0
    /// Whether they are the same ones.
    public var isSame = true
  }

  /// Whether both stores have the same entities and properties, and the same objects.
  public var isEmpty: Bool {
    entities.allSatisfy(\.isSame) && onlyInFirst.isEmpty && onlyInSecond.isEmpty && metadataKeys.isEmpty
      && danglingLinks.isSame
  }

  /// Compares two stores.
  public init(from first: PersistentStore, to second: PersistentStore, options: Options = Options()) throws {
    self = try first.readingConsistently {
      try second.readingConsistently {
        var comparison = StoreComparison(first: first, second: second, options: options)
        return try comparison.run()
      }
    }
  }

  init() {}
}
