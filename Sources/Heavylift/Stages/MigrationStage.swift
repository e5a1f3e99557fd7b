import HeavyliftConcurrency
import HeavyliftModel
public import HeavyliftStore

/// A step in the history of a model, from one version to a later one.
///
/// A stage is a ``LightweightMigrationStage`` or a ``CustomMigrationStage``. Stages of other kinds are refused, because
/// the engine would have to skip them.
// Unchecked only because subclasses exist: all of them have their variables in locks.
public class MigrationStage: @unchecked Sendable {
  /// The stage's name in plans and messages; `nil` to refer to the stage by its position.
  public final var label: String? {
    get { lockedLabel.withLock { $0 } }
    set { lockedLabel.withLock { $0 = newValue } }
  }
  private let lockedLabel: Locked<String?>

  init(label: String?) { lockedLabel = Locked(label) }
}

/// A stage without Swift code: each version is migrated to the next one with an inferred mapping.
///
/// ```swift
/// let stage = LightweightMigrationStage([music1.versionChecksum, music2.versionChecksum], label: "Add ratings")
/// ```
///
/// A stage with several versions migrates from each of them to the next one, so that a default value of a version in
/// between is applied. If one of two adjacent stages is lightweight, the step from the end of the first to the start of
/// the second is lightweight, too.
public final class LightweightMigrationStage: MigrationStage, @unchecked Sendable {
  /// The checksums of neighboring versions, oldest first.
  public let versionChecksums: [String]
  /// The checksums with version IDs.
  let identities: [String]

  /// Creates a stage.
  ///
  /// - Parameters:
  ///   - versionChecksums: The checksums of neighboring versions, oldest first. Xcode's build log prints them, and so
  ///     does `heavylift inspect`.
  ///   - label: The stage's name in plans and messages.
  public init(_ versionChecksums: [String], label: String? = nil) {
    self.versionChecksums = versionChecksums
    identities = versionChecksums
    super.init(label: label)
  }

  /// Creates a stage between versions of which some have the same checksum.
  ///
  /// - Parameters:
  ///   - versions: References to neighboring versions, oldest first.
  ///   - label: The stage's name in plans and messages.
  public init(versions: [ManagedObjectModelReference], label: String? = nil) {
    versionChecksums = versions.map(\.versionChecksum)
    identities = versions.map { StageIdentity.text($0.versionChecksum, $0.versionID) }
    super.init(label: label)
  }
}

/// The text that identifies a version among those that stages lead through: its checksum, and its version ID.
enum StageIdentity {
  static func text(_ checksum: String, _ id: String?) -> String {
    checksum + (id.map { ", version ID \($0.quotedName)" } ?? "")
  }
}

extension ManagedObjectModel {
  /// The checksum, with the version ID if the version has one.
  package var stageIdentity: String { StageIdentity.text(versionChecksum, versionID) }
}

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
public final class CustomMigrationStage: MigrationStage, @unchecked Sendable {
  /// A handler, which gets the manager of the stages and this stage.
  public typealias Handler = @Sendable (StagedMigrationManager, CustomMigrationStage) throws -> Void
  /// A handler for single objects, which gets an object before and after the structure changed.
  public typealias ObjectHandler = @Sendable (_ old: ManagedObject, _ new: ManagedObject) throws -> Void

  /// The version that the stage starts from.
  public let currentModel: ManagedObjectModelReference
  /// The version that the stage leads to.
  public let nextModel: ManagedObjectModelReference
  /// Runs before the structure changes. Its contexts have the objects of ``currentModel``.
  public var willMigrateHandler: Handler? {
    get { code.withLock { $0.willMigrate } }
    set { code.withLock { $0.willMigrate = newValue } }
  }
  /// Runs after the structure has changed. Its contexts have the objects of ``nextModel``.
  public var didMigrateHandler: Handler? {
    get { code.withLock { $0.didMigrate } }
    set { code.withLock { $0.didMigrate = newValue } }
  }
  /// An identifier for the handlers' code. Change it whenever you change a handler, so that a resumed migration does not
  /// keep the results of an earlier revision.
  public var revision: String {
    get { code.withLock { $0.revision } }
    set { code.withLock { $0.revision = newValue } }
  }
  /// The handlers for single objects in the order in which they run.
  var objectHandlers: [(entityName: String, body: ObjectHandler)] { code.withLock { $0.objects } }
  private let code = Locked(Code())

  private struct Code {
    var willMigrate: Handler?
    var didMigrate: Handler?
    var objects: [(entityName: String, body: ObjectHandler)] = []
    var revision = ""
  }

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
    code.withLock { $0.objects.append((entityName, body)) }
  }

  /// The handlers that are set, in the order in which they run.
  var handlers: [MigrationHistory.Handler] {
    (willMigrateHandler == nil ? [] : [.willMigrate]) + objectHandlers.map { .objects(entityName: $0.entityName) }
      + (didMigrateHandler == nil ? [] : [.didMigrate])
  }
}

/// A stage that a layer above the engine describes in its own terms, such as the Swift classes of two versions.
///
/// That layer replaces it with a lightweight or custom stage. A ``StagedMigrationManager`` refuses it.
package final class DeclaredMigrationStage<Declaration: Sendable>: MigrationStage, @unchecked Sendable {
  package let declaration: Declaration

  /// Creates a stage.
  ///
  /// - Parameters:
  ///   - declaration: The description.
  ///   - label: The stage's name in plans and messages.
  package init(_ declaration: Declaration, label: String?) {
    self.declaration = declaration
    super.init(label: label)
  }
}
