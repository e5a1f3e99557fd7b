import Foundation
import Heavylift

/// A program's working set of typed objects, including unsaved changes.
///
/// ```swift
/// let context = try ModelContext(container)
/// let artist = try context.insert(Artist.self)
/// artist.name = "Miles Davis"
/// try context.save()
/// ```
///
/// A context and its objects belong to one thread at a time. A context lives as long as one of its objects does.
public final class ModelContext {
  /// The container whose store the context reads and saves to.
  public let container: ModelContainer
  /// The context of the untyped objects.
  public let managedObjectContext: ManagedObjectContext
  /// By the entity's index in the store.
  private var bindings: [EntityBinding?]
  private let entities: [ObjectIdentifier: SchemaEntity]

  /// Creates a context with its own connection to the container's store.
  ///
  /// - Parameter container: The container.
  public convenience init(_ container: ModelContainer) throws {
    try self.init(container, ManagedObjectContext(store: container.openStore()))
  }

  /// Creates a context for the handlers of a stage, whose store may be of an intermediate model: it has all entities and
  /// properties of the schema, and some more.
  convenience init(inStageOf schema: Schema, _ context: ManagedObjectContext) throws {
    try self.init(ModelContainer(inStageOf: schema, url: context.store.url), context)
  }

  private init(_ container: ModelContainer, _ context: ManagedObjectContext) throws {
    self.container = container
    managedObjectContext = context
    let store = context.store
    var bindings: [EntityBinding?] = []
    for entity in container.schema.entities {
      guard let index = store.index(ofEntityNamed: entity.name) else { continue }
      while bindings.count <= index { bindings.append(nil) }
      bindings[index] = try EntityBinding(entity, in: store)
    }
    self.bindings = bindings
    entities = Dictionary(
      container.schema.entities.map { (ObjectIdentifier($0.type.type), $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// A Boolean value that indicates whether there are unsaved changes.
  public var hasChanges: Bool { managedObjectContext.hasChanges }

  /// The first error that prevents saving, such as that of a property that could not be read.
  public var failure: (any Error)? { managedObjectContext.failure }

  // MARK: Changes

  /// Creates an object with the default values of its attributes.
  ///
  /// - Parameter type: The object's class.
  /// - Returns: The new object.
  public func insert<Model: Entity>(_ type: Model.Type) throws -> Model {
    let backing = try backing(inserting: type)
    return EntityConstruction.creating(with: EntityRecord()) { type.init(backing: backing) }
  }

  /// Creates an object, and sets its properties.
  ///
  /// ```swift
  /// let track = try context.insert(Track.self) {
  ///   $0.title = "Blue in Green"
  ///   $0.number = 3
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - type: The object's class.
  ///   - body: Sets the properties. If it throws, the object is deleted.
  /// - Returns: The new object.
  @discardableResult
  public func insert<Model: Entity>(_ type: Model.Type, _ body: (Model) throws -> Void) throws -> Model {
    let object = try insert(type)
    do {
      try body(object)
    } catch {
      try delete(object)
      throw error
    }
    return object
  }

  /// Translates a predicate in Swift for the schema's entities.
  func translate<Model: Entity>(_ predicate: Predicate<Model>) throws -> MappingPredicate {
    var translation = PredicateTranslation(entities: entities)
    return try translation.predicate(predicate)
  }

  /// Marks an object for deletion by the next save, and applies the delete rules of its relationships.
  ///
  /// - Parameter object: The object to delete.
  public func delete(_ object: Entity) throws { try managedObjectContext.delete(object.managedObject) }

  /// Deletes the objects that match a predicate.
  ///
  /// - Parameters:
  ///   - type: The class of the objects.
  ///   - format: The predicate in the expression language, with placeholders.
  ///   - arguments: The values for the placeholders.
  public func delete<Model: Entity>(
    _ type: Model.Type, where format: String, _ arguments: any FormatArgumentConvertible...
  ) throws {
    var descriptor = FetchDescriptor<Model>()
    descriptor.predicate = try MappingPredicate(format: format, arguments: arguments.map(\.formatArgument))
    for object in try managedObjectContext.fetch(request(descriptor)) where !object.isDeleted {
      try managedObjectContext.delete(object)
    }
  }

  /// Saves all changes or none: violations of the schema's rules are reported together before a row is written.
  ///
  /// - Throws: The first error of a property since the last save; `ValidationErrors`; or a `Diagnostic`.
  public func save() throws { try managedObjectContext.save() }

  /// Discards all changes: removes new objects, and returns changed and deleted ones to their stored state.
  public func rollback() { managedObjectContext.rollback() }

  // MARK: For typed objects

  func backing(inserting type: Entity.Type) throws -> EntityBacking {
    let entity = try entity(of: type)
    let object = try managedObjectContext.insert(entity.name)
    let binding = try binding(of: object)
    try binding.addFreshValues(to: object)
    return EntityBacking(object: object, context: self, binding: binding)
  }

  /// Returns the typed object of an untyped one: always the same as long as it is in memory.
  ///
  /// - Parameter object: An object of this context's `managedObjectContext`.
  public func entity(for object: ManagedObject) throws -> Entity {
    // Only `Entity.init` sets the reference.
    if let typed = object.typedObject { return unsafeDowncast(typed, to: Entity.self) }
    let binding = try binding(of: object)
    return EntityConstruction.creating(with: EntityRecord()) {
      binding.type.type.init(backing: EntityBacking(object: object, context: self, binding: binding))
    }
  }

  private func binding(of object: ManagedObject) throws -> EntityBinding {
    guard object.context === managedObjectContext else {
      throw Diagnostic(
        .error, code: "schema.foreign-object", problem: "object \(object) does not belong to this context",
        remedy: "use objects of the context's 'managedObjectContext'")
    }
    let index = object.entityIndex
    guard bindings.indices.contains(index), let binding = bindings[index] else {
      // The intermediate model of a stage keeps the entities that the newer version does not have.
      throw Diagnostic(
        .error, code: "schema.object-without-class",
        problem: "object \(object) has no class, because version \(container.schema.model.title.quotedName) no longer "
          + "has its entity; the stage removes it",
        remedy: "delete or convert the objects of this entity in 'willMigrate', or skip them when you fetch their "
          + "superclass: 'descriptor.includesSubclasses = false'")
    }
    return binding
  }

  func entity(of type: Entity.Type) throws -> SchemaEntity {
    guard let entity = entities[ObjectIdentifier(type)] else {
      throw Diagnostic(
        .error, code: "schema.foreign-class",
        problem: "class '\(TypeName.scoped(type))' is not in the container's schema",
        remedy: container.schema.types.map(TypeName.scoped).suggestion(for: TypeName.scoped(type), kind: "class"))
    }
    return entity
  }
}
