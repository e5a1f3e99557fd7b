import Foundation
import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

/// Migrates a store from one version of a model into a new store of another version.
///
/// ```swift
/// let manager = MigrationManager(
///   sourceModel: library1, destinationModel: library2, policies: PolicyRegistry(BookToBookPolicy.self))
/// manager.functions["dateFromNumericRepresentation:"] = MigrationFunction { (seconds: Double) in
///   Date(timeIntervalSince1970: seconds)
/// }
/// try manager.migrateStore(from: old, to: new, with: mapping)
/// ```
///
/// The source is only read. The destination appears at its path only when it is complete and checked. Use a manager and
/// everything that belongs to it on one thread; only its `cancellation` is safe to use from others.
public final class MigrationManager {
  /// The model version of the source store.
  public let sourceModel: ManagedObjectModel
  /// The model version of the destination store.
  public let destinationModel: ManagedObjectModel
  /// The migration policies that mappings can name.
  public var policies: PolicyRegistry
  /// The functions that `FUNCTION($manager, "selector:", …)` can call, by selector, in addition to the built-in ones.
  public var functions: [String: MigrationFunction] = [:]
  /// Services and look-up tables for policies.
  public var userInfo: [String: Any] = [:]
  /// The mapping model that is running, or ran last, with its defaults filled in.
  public internal(set) var mappingModel: CompleteMappingModel?
  /// The entity mapping that is running.
  public internal(set) var currentEntityMapping: EntityMapping?
  /// The progress of the migration, from 0 to 1.
  public internal(set) var migrationProgress: Float = 0
  /// Called each time the progress changes by a hundredth or an entity mapping starts another pass.
  public var progressHandler: ((MigrationManager) -> Void)?
  /// The current pass.
  public internal(set) var currentPass = MigrationProgress.Pass.instances
  /// Cancels the migration from any thread.
  public let cancellation: MigrationCancellation
  /// For tests: damages a finished store before it is checked.
  package var faultHook: ((PersistentStore) throws -> Void)?
  var run: MigrationRun?
  /// The number of objects done, and the number expected.
  var objectCounts = (done: 0, expected: 0)
  private(set) lazy var reporter = ProgressReporter<MigrationProgress>(cancellation)

  /// Creates a manager for migrating between two versions of a model.
  ///
  /// - Parameters:
  ///   - sourceModel: The model version of the source store.
  ///   - destinationModel: The model version of the destination store.
  ///   - policies: The migration policies that mappings can name.
  ///   - cancellation: The cancellation to use; pass one to several managers to cancel them together.
  public init(
    sourceModel: ManagedObjectModel, destinationModel: ManagedObjectModel, policies: PolicyRegistry = PolicyRegistry(),
    cancellation: MigrationCancellation = MigrationCancellation()
  ) {
    self.cancellation = cancellation
    self.sourceModel = sourceModel
    self.destinationModel = destinationModel
    self.policies = policies
  }

  /// The context of the source instances. Available only during a migration.
  public var sourceContext: ManagedObjectContext { running.sourceContext }

  /// The context of the destination instances. Available only during a migration.
  ///
  /// Its objects get permanent keys at once, fetches see every object created so far, and objects that you hold no
  /// reference to are written and released from time to time.
  public var destinationContext: ManagedObjectContext { running.destinationContext }

  /// Returns the entity of an entity mapping's source instances.
  public func sourceEntity(for mapping: EntityMapping) -> EntityDescription? {
    sourceModel.entity(named: mapping.sourceEntityName)
  }

  /// Returns the entity of an entity mapping's destination instances.
  public func destinationEntity(for mapping: EntityMapping) -> EntityDescription? {
    destinationModel.entity(named: mapping.destinationEntityName)
  }

  /// Cancels the migration at the next object, with the given error as the reason.
  public func cancelMigration(with error: any Error) { cancellation.cancel(with: error) }

  /// Discards all associations between source and destination instances, and resets the cancellation.
  public func reset() {
    cancellation.reset()
    if run == nil { reporter = ProgressReporter<MigrationProgress>(cancellation) }
    migrationProgress = 0
    guard let run else { return }
    run.wasReset = true
    run.destinationContext.keeping(()) {
      // Without the associations, links that are due could not be found.
      try run.dueLinks?.observe()
      try run.associations.removeAll()
    }
  }

  /// The progress as a Foundation object, in hundredths; cancelling it cancels the migration.
  public var progress: Progress { reporter.progress }

  /// Returns a stream of progress events for use on another thread; the stream ends with the migration.
  ///
  /// ```swift
  /// let events = manager.progressEvents()
  /// Task { for await event in events { print(event.entityMapping, event.fraction) } }
  /// try manager.migrateStore(from: old, to: new, with: mapping)
  /// ```
  public func progressEvents() -> AsyncStream<MigrationProgress> { reporter.makeStream() }

  func reportProgress() {
    progressHandler?(self)
    reporter.report(
      MigrationProgress(
        pass: currentPass, entityMapping: currentEntityMapping?.name ?? "", fraction: migrationProgress,
        objectsDone: objectCounts.done, objectsExpected: objectCounts.expected),
      fraction: migrationProgress)
  }

  /// The current migration; accessing its contexts at any other time is a programming error.
  var running: MigrationRun {
    guard let run else { preconditionFailure("no migration is running: contexts exist only during one") }
    return run
  }
}
