import HeavyliftModel
import HeavyliftStore

/// The differences between the contents of two stores, object by object.
///
/// ```swift
/// let difference = try StoreDifference(from: before, to: after)
/// for entity in difference.entities where entity.changed > 0 {
///   print(entity.name, entity.changedProperties)  // Book ["title": 3]
/// }
/// ```
///
/// Objects with the same entity and key are compared; a property is equal if dumps of both stores write it the same
/// way. If the stores have different models, shared properties are compared, and properties of only one store are
/// listed. Memory use does not grow with the stores: all differing objects are counted, and a few are kept as examples.
package struct StoreDifference: Hashable, Sendable {
  /// Options for comparing stores.
  package struct Options: Hashable, Sendable {
    /// A Boolean value that indicates whether examples include values, which are user data.
    package var includesValues = false
    /// A Boolean value that indicates whether examples also include the values of properties that only one store has,
    /// and of objects that only the second has. Requires `includesValues`.
    package var includesLoneValues = false
    /// The number of examples to keep for each entity and each kind of difference.
    package var exampleLimit = 5
    /// The maximum length of a value in an example, in bytes.
    package var valueLimit = 200
    /// The second store's names for entities, by the first store's names, where they differ.
    package var renamedEntities: [String: String] = [:]
    /// The second store's names for properties, by the first store's names of the entity and the property.
    package var renamedProperties: [String: [String: String]] = [:]

    /// Creates the default options: a few examples, without values.
    package init() {}
  }

  /// A property whose values differ between the stores.
  package struct ChangedProperty: Hashable, Sendable {
    /// The property's name in the second store, or in the first if only that has it.
    package var name: String
    /// The old value as JSON, if values are included; a truncated value ends with `…`. `nil` if the first store does
    /// not have the property.
    package var old: String?
    /// The new value as JSON, if values are included; a truncated value ends with `…`. `nil` if the second store does
    /// not have the property.
    package var new: String?
  }

  /// An object in both stores whose properties differ.
  package struct ChangedObject: Hashable, Sendable {
    /// The object's primary key, `Z_PK`.
    package var key: Int64
    /// The properties that differ: attributes first, each kind sorted by name.
    package var properties: [ChangedProperty]
  }

  /// The differences between the objects of an entity that is in both stores.
  package struct Entity: Hashable, Sendable {
    /// The entity's name in the second store.
    package var name: String
    /// The entity's name in the first store, if it differs.
    package var formerName: String?
    /// The number of objects that are the same in both stores.
    package var same = 0
    /// The number of objects that only the second store has.
    package var added = 0
    /// The number of objects that only the first store has.
    package var removed = 0
    /// The number of objects of the first store that became objects of another entity, or with another key. Counted only
    /// with a migration's provenance; otherwise, such an object counts as removed, and its counterpart as added.
    package var movedAway = 0
    /// The number of objects of the second store that were objects of another entity, or had another key. Counted only
    /// with a migration's provenance.
    package var movedHere = 0
    /// The number of objects that are in both stores and differ.
    package var changed = 0
    /// The number of objects in which each property differs.
    package var changedProperties: [String: Int] = [:]
    /// The keys of some of the added objects, as many as the options allow.
    package var addedExamples: [Int64] = []
    /// Examples of added objects with values, if lone values are included.
    package var addedObjects: [ChangedObject] = []
    /// The keys of some of the removed objects, as many as the options allow.
    package var removedExamples: [Int64] = []
    /// Some of the changed objects, as many as the options allow.
    package var changedExamples: [ChangedObject] = []
    /// Properties that only the first store's model has; they are not compared.
    package var onlyInFirst: [String] = []
    /// Properties that only the second store's model has; they are not compared.
    package var onlyInSecond: [String] = []

    /// A Boolean value that indicates whether the entity has the same properties and objects in both stores.
    package var isSame: Bool {
      added == 0 && removed == 0 && changed == 0 && movedAway == 0 && movedHere == 0
        && onlyInFirst.isEmpty && onlyInSecond.isEmpty
    }
  }

  /// An entity that only one store's model has.
  package struct LoneEntity: Hashable, Sendable {
    /// The entity's name.
    package var name: String
    /// The number of its objects.
    package var count: Int
    /// The number of objects that became objects of other entities or, if only the second store has the entity, that were
    /// objects of others. Counted only with a migration's provenance.
    package var moved = 0
    /// Examples of the objects with their values, if only the second store has the entity and lone values are included.
    package var examples: [ChangedObject] = []
  }

  /// Objects of the first store's entity that became objects of other entities.
  package struct Move: Hashable, Sendable {
    /// An entity of the second store.
    package struct Destination: Hashable, Sendable {
      /// The entity's name.
      package var entity: String
      /// The number of the first store's objects that became objects of this entity. An object that became several is
      /// counted for each of their entities.
      package var count: Int
    }

    /// The first store's entity.
    package var entity: String
    /// The number of objects that became others.
    package var count: Int
    /// The entities that they became, the largest number first.
    package var destinations: [Destination]
  }

  /// The entities that both stores have, sorted by name, including those without differences.
  package internal(set) var entities: [Entity] = []
  /// Entities with objects that only the first store's model has.
  package internal(set) var onlyInFirst: [LoneEntity] = []
  /// Entities with objects that only the second store's model has.
  package internal(set) var onlyInSecond: [LoneEntity] = []
  /// The entities whose objects became objects of an entity with another name, sorted by name. Known only with a
  /// migration's provenance.
  package internal(set) var moves: [Move] = []
  /// The keys of application metadata that differs.
  package internal(set) var metadataKeys: [String] = []
  /// The links in each store that have no owning object.
  package internal(set) var danglingLinks = DanglingLinks()

  /// The links in each store that have no owning object.
  package struct DanglingLinks: Hashable, Sendable {
    /// The number of such links in the first store.
    package var first = 0
    /// The number of such links in the second store.
    package var second = 0
    /// A Boolean value that indicates whether both stores have the same dangling links.
    package var isSame = true
  }

  /// A Boolean value that indicates whether both stores have the same entities, properties, objects, application
  /// metadata and dangling links.
  package var isEmpty: Bool {
    entities.allSatisfy(\.isSame) && onlyInFirst.isEmpty && onlyInSecond.isEmpty && metadataKeys.isEmpty
      && danglingLinks.isSame
  }

  /// Compares two stores.
  package init(from first: PersistentStore, to second: PersistentStore, options: Options = Options()) throws {
    try self.init(from: first, to: second, options: options, moves: nil)
  }

  /// Compares a store with the one that it was migrated to.
  ///
  /// - Parameter moves: The objects that became others; `nil` if that is not known. Then objects with the same entity and
  ///   key are the same.
  package init(from first: PersistentStore, to second: PersistentStore, options: Options, moves: ObjectMoves?) throws {
    self = try first.readingConsistently {
      try second.readingConsistently {
        var comparison = StoreComparison(first: first, second: second, options: options, moves: moves)
        return try comparison.run()
      }
    }
  }

  init() {}
}
