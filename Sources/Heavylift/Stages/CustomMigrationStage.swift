public import HeavyliftStore

/// A stage with Swift code that runs before and after the structure of the store changes.
///
/// ```swift
/// let stage = CustomMigrationStage(
///   migratingFrom: ManagedObjectModelReference(model: music2, versionChecksum: music2.versionChecksum),
///   to: ManagedObjectModelReference(model: music3, versionChecksum: music3.versionChecksum), label: "Count plays")
/// stage.migrate("Track") { old, new in new["playCount"] = .integer(Int64(old["plays"].string ?? "") ?? 0) }
/// ```
///
/// The handlers work on a private copy of the store. Their changes are in the new store exactly once, even if the process
/// is killed and the migration is resumed. In that case, unless all handlers are done, all of them run again, so one may
/// keep values in memory for a later one. If a handler throws an error, its changes are rolled back, the migration fails,
/// and the store stays as it was.
///
/// A stage without handlers is the same as a lightweight stage.
public final class CustomMigrationStage: MigrationStage {
  /// A handler, which gets the manager of the stages and this stage.
  public typealias Handler = (StagedMigrationManager, CustomMigrationStage) throws -> Void
  /// A handler for single objects, which gets an object before and after the structure changed.
  public typealias ObjectHandler = (_ old: ManagedObject, _ new: ManagedObject) throws -> Void

  /// The version that the stage starts from.
  public let currentModel: ManagedObjectModelReference
  /// The version that the stage leads to.
  public let nextModel: ManagedObjectModelReference
  /// Runs before the structure changes. Its contexts have the objects of ``currentModel``.
  public var willMigrateHandler: Handler?
  /// Runs after the structure has changed. Its contexts have the objects of ``nextModel``.
  public var didMigrateHandler: Handler?
  /// An identifier for the handlers' code. Change it whenever you change a handler, so that a resumed migration does not
  /// keep the results of an earlier revision.
  public var revision = ""
  /// The handlers for single objects in the order in which they run.
  private(set) var objectHandlers: [(entityName: String, body: ObjectHandler)] = []

  /// Creates a stage without handlers.
  ///
  /// - Parameters:
  ///   - current: The version that the stage starts from.
  ///   - next: The version that the stage leads to.
  ///   - label: The stage's name in plans and messages.
  public init(
    migratingFrom current: ManagedObjectModelReference, to next: ManagedObjectModelReference, label: String? = nil
  ) {
    (currentModel, nextModel) = (current, next)
    super.init(label: label)
  }

  /// Adds a handler that is called for each migrated object of an entity, before ``didMigrateHandler``.
  ///
  /// Both objects have the names of their own version. The old object is read-only. Changes of the new one, and of
  /// objects that the handler creates in its context, are saved from time to time; memory does not grow with the number
  /// of objects.
  ///
  /// - Parameters:
  ///   - entityName: The entity's name in ``nextModel``. Objects of its sub-entities are included.
  ///   - body: The handler.
  public func migrate(_ entityName: String, _ body: @escaping ObjectHandler) {
    objectHandlers.append((entityName, body))
  }

  /// The handlers that are set, in the order in which they run.
  var handlers: [MigrationHistory.Handler] {
    (willMigrateHandler == nil ? [] : [.willMigrate]) + objectHandlers.map { .objects(entityName: $0.entityName) }
      + (didMigrateHandler == nil ? [] : [.didMigrate])
  }
}
