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
  /// Values for policies, by name, which expressions can read, too. See ``state(_:)`` for values with a type.
  public var userInfo: [String: Any] = [:]
  /// The states of policies, by type.
  var states: [ObjectIdentifier: any MigrationState] = [:]
  /// The mapping model that is running, or ran last, with its defaults filled in.
  package internal(set) var mappingModel: CompleteMappingModel?
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
  package private(set) lazy var reporter = ProgressReporter<MigrationProgress>(cancellation)
  /// Called with the progress of a hop, for the chain that the hop is part of.
  package var chainHandler: ((MigrationProgress) -> Void)?
  /// Called with the plan of a hop, when it is made.
  package var planHandler: ((MigrationPlan) -> Void)?

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

  /// The context of the source instances. Throws if no migration is running: there are objects only during one.
  public var sourceContext: ManagedObjectContext { get throws { try running.sourceContext } }

  /// The context of the destination instances. Throws if no migration is running: there are objects only during one.
  ///
  /// Its objects get permanent keys at once, fetches see every object created so far, and objects that you hold no
  /// reference to are written and released from time to time.
  public var destinationContext: ManagedObjectContext { get throws { try running.destinationContext } }

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
    let event = MigrationProgress(
      pass: currentPass, entityMapping: currentEntityMapping?.name ?? "", fraction: migrationProgress,
      objectsDone: objectCounts.done, objectsExpected: objectCounts.expected)
    chainHandler?(event)
    reporter.report(event, fraction: migrationProgress)
  }

  /// The current migration. Throws if there is none.
  var running: MigrationRun {
    get throws {
      guard let run else {
        throw Diagnostic(
          .error, code: "migration.not-running",
          problem: "the migration manager has no objects: no migration is running",
          remedy: "use its objects in a policy or a function; to try out an expression, run "
            + "'heavylift migrate … --dry-run --samples 3'")
      }
      return run
    }
  }
}

extension MigrationManager {
  /// Calls a function with a store in its present state, including its metadata, whatever another program writes
  /// meanwhile.
  func reading<Result>(
    _ url: URL, acceptsMissingFiles: Bool = false,
    _ body: (StoreFile, PersistentStore, ChangeDetector) throws -> Result
  ) throws -> Result {
    let opened: StoreFile
    do {
      opened = try StoreFile(url: url, mode: .readOnly)
    } catch {
      throw HopError.wrapping(error, .sourceStore, .init())
    }
    var source: PersistentStore?
    defer { try? source.map { try $0.close() } ?? opened.close() }
    opened.database.interrupt { [cancellation] in cancellation.isCancelled }
    let detector = try ChangeDetector(opened)
    return try opened.readingConsistently { file in
      let store = try openSource(file)
      if acceptsMissingFiles { store.externalData.lostFiles = LostFiles() }
      source = store
      return try store.reporting { try body(file, store, detector) }
    }
  }

  private func openSource(_ file: StoreFile) throws -> PersistentStore {
    do {
      let fit = try file.model(among: [sourceModel])
      guard fit.evidence != .modelCache else { throw foreignVersion(file) }
      return try PersistentStore(file: file, model: sourceModel, configuration: fit.configuration)
    } catch {
      let isForeign = (error as? Diagnostic)?.code == "store.unknown-version"
      throw HopError.wrapping(error, isForeign ? .missingSourceModel : .sourceStore, .init())
    }
  }

  /// The error for a store whose metadata identifies a model other than the source model.
  private func foreignVersion(_ file: StoreFile) -> HopError {
    let reasons = (try? file.misfits(among: [sourceModel]).first?.reasons) ?? []
    return HopError(
      .missingSourceModel,
      problem: "store '\(file.url.path)' does not match the source model '\(sourceModel.title)': "
        + reasons.prefix(3).joined(separator: "; "),
      remedy: "specify the model that the store was written with")
  }
}

extension MigrationManager {
  /// Associates a source instance with a destination instance, so that relationships can find the source's counterpart.
  ///
  /// A source instance may have many destination instances, and vice versa.
  public func associate(
    sourceInstance: ManagedObject, withDestinationInstance destinationInstance: ManagedObject,
    for entityMapping: EntityMapping
  ) throws {
    let run = try running
    try run.associate(sourceInstance, destinationInstance, in: run.step(for: entityMapping))
  }

  /// Returns the destination instances that an entity mapping created from the given source instances, in the order of
  /// the sources and without duplicates. For `nil`, returns all destination instances of the mapping.
  public func destinationInstances(
    forEntityMappingName name: String, sourceInstances: [ManagedObject]?
  ) throws -> [ManagedObject] {
    let run = try running
    return try run.destinationInstances(of: run.step(named: name), sources: sourceInstances)
  }

  /// Returns the source instances from which an entity mapping created the given destination instances, without
  /// duplicates. For `nil`, returns all source instances of the mapping.
  public func sourceInstances(
    forEntityMappingName name: String, destinationInstances: [ManagedObject]?
  ) throws -> [ManagedObject] {
    let run = try running
    return try run.sourceInstances(of: run.step(named: name), destinations: destinationInstances)
  }
}

extension MigrationManager {
  /// The default implementation of `EntityMigrationPolicy.createDestinationInstances`.
  func createDeclaredInstance(for source: ManagedObject, in mapping: EntityMapping) throws {
    let run = try running
    let step = try run.step(for: mapping)
    step.hasCreatedDeclaredInstances = true
    try run.notNoting { try DeclaredInstances(run).create(for: source, in: step) }
  }

  /// The default implementation of `EntityMigrationPolicy.createRelationships`.
  func createDeclaredRelationships(of destination: ManagedObject, in mapping: EntityMapping) throws {
    let run = try running
    let step = try run.step(for: mapping)
    step.hasCreatedDeclaredRelationships = true
    try run.notNoting { try DeclaredRelationships(run).create(of: destination, in: step) }
  }
}

/// Expressions read the manager's keys, such as `$manager.sourceContext`, and call its functions.
extension MigrationManager: ExpressionObject {
  /// Returns the value for a key.
  public func value(forKey key: String) throws -> ExpressionValue {
    switch key {
    case "sourceContext": return .object(try running.sourceReference)
    case "destinationContext": return .object(try running.destinationReference)
    case "currentEntityMapping": return currentEntityMapping.map { .object($0) } ?? .null
    case "migrationProgress": return .double(Double(migrationProgress))
    case "userInfo":
      return .dictionary(userInfo.compactMapValues { ($0 as? any ExpressionConvertible)?.expressionValue })
    default:
      throw EvaluationMistake.unknownKey(
        key, kind: "the migration manager",
        known: ["currentEntityMapping", "destinationContext", "migrationProgress", "sourceContext", "userInfo"])
    }
  }
}

extension MigrationManager: ExpressionReference {
  /// The manager's name in messages.
  public static var expressionKind: String { "the migration manager" }
}

extension MigrationManager {
  /// Calls a function of the program; a running migration records the properties that it reads or sets.
  func noting<Result>(_ body: () throws -> Result) rethrows -> Result { try run?.noting(body) ?? body() }

  /// Registers the functions that expressions may call on the manager. The built-in functions are registered last, so
  /// they replace others with the same selector.
  package func register(in registry: inout FunctionRegistry) throws {
    for selector in functions.keys.sorted() {
      registry.register(selector: selector, ofEach: MigrationManager.self, kind: "the migration manager") {
        manager, arguments in
        try manager.noting { try manager.functions[selector]?.call(selector, arguments) ?? .null }
      }
    }
    try registry.register(ManagerSelector.destinationInstancesForMapping, on: MigrationManager.self) {
      (manager, name: String, objects: ObjectList) in
      let run = try manager.running
      return ObjectList(try run.destinationInstances(of: run.step(named: name), sources: objects.objects))
    }
    try registry.register(ManagerSelector.destinationInstancesForRelationship, on: MigrationManager.self) {
      (manager, name: String, objects: ObjectList) in
      let run = try manager.running
      return ObjectList(try run.destinationInstances(ofRelationship: name, sources: objects.objects))
    }
    try registry.register(ManagerSelector.sourceInstancesForMapping, on: MigrationManager.self) {
      (manager, name: String, objects: ObjectList) in
      let run = try manager.running
      return ObjectList(try run.sourceInstances(of: run.step(named: name), destinations: objects.objects))
    }
    try registry.register(ManagerSelector.fetchRequest, on: MigrationManager.self) {
      (manager, entity: String, predicate: String) in
      ExpressionValue.object(try FetchRequestReference(entity: entity, predicate: predicate))
    }
  }
}
