public import Foundation
import HeavyliftConcurrency
public import HeavyliftModel
import HeavyliftStore

/// The same for asynchronous code. The work is done on a thread of its own; cancelling the task cancels the migration.
extension IncrementalMigrationManager {
  /// Returns the plan for migrating a store to a version, by default the newest, without changing anything.
  ///
  /// - Parameters:
  ///   - store: The store to migrate.
  ///   - destination: The path of the new store, on whose disk it is built; `nil` to migrate in place.
  ///   - model: The requested version; `nil` for the newest, or for the current one of a bundle.
  ///   - options: The options for the migration.
  public func plan(
    for store: URL, into destination: URL? = nil, to model: ManagedObjectModel? = nil,
    options: IncrementalMigrationOptions = IncrementalMigrationOptions()
  ) async throws(MigrationError) -> IncrementalMigrationPlan {
    try await onThread(MigrationMonitor()) { () throws(MigrationError) in
      try plan(for: store, into: destination, to: model, options: options)
    }
  }

  /// Migrates a store in place to a version, by default the newest.
  ///
  /// ```swift
  /// let monitor = MigrationMonitor()
  /// let events = monitor.events()
  /// Task { for await event in events { bar.value = event.fraction } }
  /// let report = try await manager.migrate(store, monitor: monitor)
  /// ```
  ///
  /// If another process has the store open, this throws an error and changes nothing.
  ///
  /// - Parameters:
  ///   - store: The store to migrate.
  ///   - model: The requested version; `nil` for the newest, or for the current one of a bundle.
  ///   - options: The options for the migration.
  ///   - monitor: Observes the migration, and can cancel it, as does cancelling the task.
  @discardableResult
  public func migrate(
    _ store: URL, to model: ManagedObjectModel? = nil,
    options: IncrementalMigrationOptions = IncrementalMigrationOptions(),
    monitor: MigrationMonitor = MigrationMonitor()
  ) async throws(MigrationError) -> IncrementalMigrationReport {
    try await onThread(monitor) { () throws(MigrationError) in
      try migrate(store, to: model, options: options, monitor: monitor)
    }
  }

  /// Migrates a store into a new one, leaving the old one unchanged.
  ///
  /// - Parameters:
  ///   - store: The store to migrate, which may be in use.
  ///   - destination: The path of the new store.
  ///   - model: The requested version; `nil` for the newest, or for the current one of a bundle.
  ///   - options: The options for the migration.
  ///   - monitor: Observes the migration, and can cancel it, as does cancelling the task.
  @discardableResult
  public func migrate(
    _ store: URL, into destination: URL, to model: ManagedObjectModel? = nil,
    options: IncrementalMigrationOptions = IncrementalMigrationOptions(),
    monitor: MigrationMonitor = MigrationMonitor()
  ) async throws(MigrationError) -> IncrementalMigrationReport {
    try await onThread(monitor) { () throws(MigrationError) in
      try migrate(store, into: destination, to: model, options: options, monitor: monitor)
    }
  }

  /// Carries out every step of `migrate` except for the last, passes the new store to a body, and removes all files.
  ///
  /// - Parameters:
  ///   - store: The store that would be migrated.
  ///   - destination: The path that the new store would have; `nil` to rehearse migrating in place.
  ///   - model: The requested version; `nil` for the newest.
  ///   - options: The options for the migration.
  ///   - recordsProvenance: True to record which objects become which.
  ///   - monitor: Observes the rehearsal, and can cancel it, as does cancelling the task.
  ///   - body: Examines the new store on the rehearsal's thread.
  public func rehearse<Result: Sendable>(
    _ store: URL, into destination: URL? = nil, to model: ManagedObjectModel? = nil,
    options: IncrementalMigrationOptions = IncrementalMigrationOptions(), recordsProvenance: Bool = false,
    monitor: MigrationMonitor = MigrationMonitor(), _ body: @escaping @Sendable (MigrationRehearsal) throws -> Result
  ) async throws -> Result {
    try await onThread(monitor) {
      try rehearse(
        store, into: destination, to: model, options: options, recordsProvenance: recordsProvenance, monitor: monitor,
        body)
    }
  }

  /// Opens a store of the newest version: migrates it first if it is of an older one, and creates it if it does not exist.
  ///
  /// The migration runs on a thread of its own; the store then belongs to the caller's actor.
  ///
  /// - Parameters:
  ///   - store: The store's file.
  ///   - options: The options for a migration.
  ///   - monitor: Observes a migration, and can cancel it, as does cancelling the task.
  ///   - isolation: The caller's actor.
  public func open(
    _ store: URL, options: IncrementalMigrationOptions = IncrementalMigrationOptions(),
    monitor: MigrationMonitor = MigrationMonitor(), isolation: isolated (any Actor)? = #isolation
  ) async throws(MigrationError) -> PersistentStore {
    if FileManager.default.fileExists(atPath: store.path) {
      try await migrate(store, options: options, monitor: monitor)
    }
    return try openNewest(store)
  }

  private func onThread<Value: Sendable, Failure: Error>(
    _ monitor: MigrationMonitor, _ work: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    try await OwnThread.run("heavylift", onCancel: { monitor.cancel() }, work)
  }
}
