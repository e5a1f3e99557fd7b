import Foundation
import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

/// Migrates a store of one version of a model into a new store of another version.
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
/// The source is only read. The destination appears under its name when it is complete and checked, or not at all.
/// A manager and all that belongs to it stay on one thread; only its `cancellation` may be used from others.
public final class MigrationManager {
  /// The version of the stores that it migrates.
  public let sourceModel: ManagedObjectModel
  /// The version of the stores that it makes.
  public let destinationModel: ManagedObjectModel
  /// Where policies are found that mappings name.
  public var policies: PolicyRegistry
  /// What `FUNCTION($manager, "selector:", …)` may call, by selector, besides the functions that every manager has.
  public var functions: [String: MigrationFunction] = [:]
  /// Services and look-up tables for policies.
  public var userInfo: [String: Any] = [:]
  /// The mapping model that runs, or ran last, with everything that it leaves unsaid.
  public internal(set) var mappingModel: CompleteMappingModel?
  /// The entity mapping that runs.
  public internal(set) var currentEntityMapping: EntityMapping?
  /// How much is done, from 0 to 1.
  public internal(set) var migrationProgress: Float = 0
  /// Called whenever the progress has changed by a hundredth or an entity mapping begins another pass.
  public var progressHandler: ((MigrationManager) -> Void)?
  /// What is done at the moment.
  public internal(set) var currentPass = MigrationProgress.Pass.instances
  /// Ends the migration from any thread.
  public let cancellation: MigrationCancellation
  /// Damages a finished store in tests, before it is checked.
  package var faultHook: ((PersistentStore) throws -> Void)?
  var run: MigrationRun?
  /// How many objects are done, and how many are expected.
  var objectCounts = (done: 0, expected: 0)
  private(set) lazy var reporter = ProgressReporter<MigrationProgress>(cancellation)

  /// Creates a manager for two versions of a model.
  ///
  /// - Parameters:
  ///   - sourceModel: The version of the stores that it migrates.
  ///   - destinationModel: The version of the stores that it makes.
  ///   - policies: Where policies are found that mappings name.
  ///   - cancellation: What ends the migration, where several things are to end together.
  public init(
    sourceModel: ManagedObjectModel, destinationModel: ManagedObjectModel, policies: PolicyRegistry = PolicyRegistry(),
    cancellation: MigrationCancellation = MigrationCancellation()
  ) {
    self.cancellation = cancellation
    self.sourceModel = sourceModel
    self.destinationModel = destinationModel
    self.policies = policies
  }

  /// The source's objects; there only while a migration runs.
  public var sourceContext: ManagedObjectContext { running.sourceContext }

  /// The destination's objects; there only while a migration runs.
  ///
  /// Its objects have their lasting keys at once, fetches see whatever was made so far, and objects that nobody holds are
  /// written and let go of from time to time.
  public var destinationContext: ManagedObjectContext { running.destinationContext }

  /// The entity that a mapping takes objects of.
  public func sourceEntity(for mapping: EntityMapping) -> EntityDescription? {
    mapping.sourceEntityName.flatMap(sourceModel.entity(named:))
  }

  /// The entity that a mapping makes objects of.
  public func destinationEntity(for mapping: EntityMapping) -> EntityDescription? {
    mapping.destinationEntityName.flatMap(destinationModel.entity(named:))
  }

  /// Ends the migration at the next object, with that error as the reason.
  public func cancelMigration(with error: any Error) { cancellation.cancel(with: error) }

  /// Forgets which objects came of which, and that the migration was cancelled.
  public func reset() {
    cancellation.reset()
    if run == nil { reporter = ProgressReporter<MigrationProgress>(cancellation) }
    migrationProgress = 0
    guard let run else { return }
    run.destinationContext.keeping(()) { try run.associations.removeAll() }
  }

  /// The progress as Foundation has it, in hundredths; cancelling it cancels the migration.
  public var progress: Progress { reporter.progress }

  /// The progress as it changes, for somebody on another thread; it ends with the migration.
  ///
  /// ```swift
  /// let events = manager.progressEvents()
  /// Task { for await event in events { print(event.entityMapping, event.fraction) } }
  /// try manager.migrateStore(from: old, to: new, with: mapping)
  /// ```
  public func progressEvents() -> AsyncStream<MigrationProgress> { reporter.makeStream() }

  func tellProgress() {
    progressHandler?(self)
    reporter.tell(
      MigrationProgress(
        pass: currentPass, entityMapping: currentEntityMapping?.name ?? "", fraction: migrationProgress,
        objectsDone: objectCounts.done, objectsExpected: objectCounts.expected),
      fraction: migrationProgress)
  }

  /// The migration that runs; to ask for its contexts at another time is a mistake in the program.
  var running: MigrationRun {
    guard let run else { preconditionFailure("no migration is running: contexts are there only while one is") }
    return run
  }
}
