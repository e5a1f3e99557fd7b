import Heavylift

/// The base class of the classes that describe a schema. An instance is an object of a store.
///
/// ```swift
/// final class Track: Entity {
///   @Attribute var title: String?
///   @Attribute var addedAt: Date
///   @Attribute(.unique) var number: Int = 0
///   @Relationship(inverse: \Artist.$tracks) var artists: Set<Artist>
/// }
///
/// let track = try context.insert(Track.self)
/// track.title = "Blue in Green"
/// try context.save()
/// ```
///
/// Subclasses inherit `init(backing:)`. Add convenience initializers that call `init(in:)` to create objects with values.
/// A context has at most one typed object for each object of the store, and releases it as soon as the program does.
///
/// Properties neither trap nor throw: the context keeps the first error, such as a required attribute without a value,
/// and its next `save()` throws that error and saves nothing. Until then, such an attribute reads as zero, empty, or
/// the first case. The same is true of a new object whose attribute is not set yet, but that is an error only if it is
/// still not set when the object is saved. An entity and its context belong to one thread at a time.
open class Entity {
  final let record: EntityRecord

  /// The name of this entity in earlier versions; nil if it did not change.
  open class var originalName: String? { nil }

  /// A text that changes the entity's version hash, if two versions would otherwise be the same.
  open class var hashModifier: String? { nil }

  /// The class that is abstract, if any: override it and return the class itself.
  ///
  /// ```swift
  /// class Animal: Entity {
  ///   override class var abstractEntity: Entity.Type? { Animal.self }
  /// }
  /// ```
  ///
  /// Subclasses inherit the declaration, but they are not abstract, because it names another class.
  open class var abstractEntity: Entity.Type? { nil }

  /// The groups of properties whose combined values no two objects may share.
  open class var uniquenessConstraints: [Unique] { [] }

  /// The indexes that the store maintains.
  open class var indexes: [Index] { [] }

  /// Creates the typed object of an object in a store. Contexts call it.
  ///
  /// - Parameter backing: The object in the store.
  public required init(backing: EntityBacking) {
    record = EntityConstruction.take()
    guard !record.isPrototype else { return }
    let expected = backing.binding?.slots.count ?? 0
    precondition(
      record.wrapperCount == expected,
      "class '\(type(of: self))' has \(expected) wrapped properties, but \(record.wrapperCount) were created: an "
        + "initial value of a stored property creates another entity, or a type that is not an entity has a property "
        + "with @Attribute, @Relationship or @FetchedProperty")
    record.object = backing.object
    record.context = backing.context
    record.binding = backing.binding
    backing.object?.typedObject = self
  }

  /// Creates an object in a context, with the default values of its attributes.
  ///
  /// - Parameter context: The context that the object belongs to.
  public convenience init(in context: ModelContext) throws {
    let backing = try context.backing(inserting: Self.self)
    EntityConstruction.begin()
    self.init(backing: backing)
  }

  deinit { record.object?.typedObject = nil }

  /// The untyped object.
  public final var managedObject: ManagedObject {
    guard let object = record.object else {
      preconditionFailure("a prototype of '\(type(of: self))' is not an object of a store")
    }
    return object
  }

  /// The object's context; nil once the context has been reset or has released the object.
  public final var modelContext: ModelContext? { record.object?.context == nil ? nil : record.context }

  /// The object's identifier; temporary until it is saved.
  public final var persistentModelID: ManagedObjectID {
    if record.isPrototype {
      record.noteReadIdentifier()
      return ManagedObjectID(storeIdentifier: "", entityName: "", key: 0)
    }
    return managedObject.objectID
  }

  /// A Boolean value that indicates whether the object has unsaved changes.
  public final var hasChanges: Bool { record.object?.hasChanges ?? false }

  /// A Boolean value that indicates whether the next save will delete the object, or an earlier save has deleted it.
  public final var isDeleted: Bool { record.object?.isDeleted ?? false }
}

extension Entity: Hashable {
  /// Compares identities: a context has only one typed object for each object of the store.
  public static func == (lhs: Entity, rhs: Entity) -> Bool { lhs === rhs }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Entity: CustomStringConvertible {
  /// The entity and the key; descriptions never include values.
  public var description: String { record.object?.description ?? "a prototype of \(type(of: self))" }
}

/// The object in a store for which a typed object is created. Only contexts create it.
public struct EntityBacking {
  /// Nil for a prototype.
  let object: ManagedObject?
  let context: ModelContext?
  let binding: EntityBinding?
}
