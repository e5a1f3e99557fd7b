public import Foundation
import HeavyliftModel
import HeavyliftSQLite
import HeavyliftStore
import HeavyliftEngine

/// A transaction on a store that no other process uses.
///
/// SQLite keeps the promise that otherwise the swap of two files keeps: after a crash, its journal or its log leads back
/// to the old contents or on to the new ones.
struct InPlaceTransaction {
  let store: URL
  let files: FileOperations
  let cancellation: MigrationCancellation

  /// Opens the store, runs `body` in a transaction that is on disk when this returns, and closes the store.
  ///
  /// - Throws: an error that names the process that has the store open, if there is one.
  func run<Result>(_ body: (StoreFile) throws -> Result) throws -> Result {
    try files.interceptor?(.lock(store))
    try StoreHold.takeBackUnfinished(store)
    // With a log, every connection that has read the store has a lock on it. Looking through the open files of all
    // processes would take longer than many a change.
    let usesLog = try DatabaseHeader.read(ofFileAt: store.path).dropFirst(18).first == 2
    if let user = try StoreHold.user(of: store, byLocksAlone: usesLog) {
      throw MigrationError.inUse(store, process: user)
    }
    try files.interceptor?(.change(store))
    let file = try WALLock.reporting(store) { try StoreFile(url: store, mode: .readWrite, busyTimeout: 0) }
    let database = file.database
    defer { try? file.close() }
    database.interrupt { [cancellation] in cancellation.isCancelled }
    // From its first change until it is closed, the connection is the only one: a program that had read the old version
    // must not write to the new one. A commit must survive a power failure, whatever SQLite was compiled with.
    try database.execute("PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = FULL; PRAGMA temp_store = FILE")
    let result = try WALLock.reporting(store) {
      try database.transaction(.exclusive) {
        let result = try body(try StoreFile(reopening: file))
        try files.interceptor?(.change(store))
        return result
      }
    }
    shrink(database)
    return result
  }

  /// Merges the log into the store's file, and returns free pages to the file system.
  ///
  /// The change is on disk already, so a failure here does not matter.
  private func shrink(_ database: Database) {
    try? database.execute("PRAGMA incremental_vacuum")
    try? database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }
}

extension MigrationSession {
  /// Carries out all hops in the store itself, in one transaction.
  func performInPlace(
    _ plan: IncrementalMigrationPlan, _ begun: IncrementalMigrationReport
  ) throws -> IncrementalMigrationReport {
    guard isInPlace else {
      throw MigrationError.notInPlace(store, ["the new store is to have another path"])
    }
    if let refusal = manager.refusalInPlace(plan, options) { throw refusal }
    guard let execution = manager.engineHops else {
      throw MigrationError.notInPlace(store, [IncrementalMigrationManager.refusalOfExecution])
    }
    try takeLock()
    defer { try? giveUp() }
    var report = begun
    do {
      let transaction = InPlaceTransaction(store: store, files: files, cancellation: monitor.cancellation)
      report.hops = try transaction.run { file in try runHops(plan, file, execution) }
    } catch let error as InPlaceHopFailure {
      throw failure(error)
    } catch {
      guard !(error is MigrationError) else { throw error }
      throw failure(InPlaceHopFailure(hop: plan.hops[0], error: error))
    }
    return report
  }

  private func runHops(
    _ plan: IncrementalMigrationPlan, _ file: StoreFile, _ execution: MappingHopExecution
  ) throws -> [IncrementalMigrationReport.Hop] {
    var hops: [IncrementalMigrationReport.Hop] = []
    for (number, hop) in plan.hops.enumerated() {
      do {
        record(plan, number, .preparing, fraction: 0)
        manager.eventHandler?(.hopBegan(hop, number: number + 1, count: plan.hops.count))
        var current = number == 0 ? file : try StoreFile(reopening: file)
        if !options.defersCleanup, !current.metadata.deferredCleanup.isEmpty {
          _ = try current.performDeferredCleanup(willRun: checkStep)
          current = try StoreFile(reopening: file)
        }
        let run = InPlaceHopRun(
          hop: hop, execution: execution, defersCleanup: options.defersCleanup, cancellation: monitor.cancellation,
          willRun: checkStep)
        let done = try run.run(current)
        hops.append(done)
        manager.eventHandler?(.hopFinished(done, number: number + 1))
        record(plan, number, .finishing, fraction: 1)
      } catch {
        throw InPlaceHopFailure(hop: hop, error: error)
      }
    }
    try checkStep()
    return hops
  }

  private func checkStep() throws {
    try files.interceptor?(.change(store))
    if let reason = monitor.reason { throw reason }
  }

  private func record(
    _ plan: IncrementalMigrationPlan, _ number: Int, _ step: IncrementalMigrationProgress.Step, fraction: Float
  ) {
    let event = IncrementalMigrationProgress(
      hop: number + 1, hopCount: plan.hops.count, title: plan.hops[number].title, step: step,
      fraction: (Float(number) + fraction) / Float(plan.hops.count))
    monitor.report(event)
  }

  private func failure(_ failure: InPlaceHopFailure) -> MigrationError {
    let title = failure.hop.title
    if let reason = monitor.cancellation.reason(for: failure.error) {
      return MigrationError(
        .cancelled, problem: "the migration of store '\(store.path)' was cancelled in hop \(title)",
        remedy: "nothing was changed", underlying: reason)
    }
    switch failure.error {
    case let error as InPlaceRefusal: return .notInPlace(store, error.reasons.map { "hop \(title): \($0)" })
    case let error as DamagedTables: return .damaged(store, error.findings)
    case let error as MigrationError: return error
    case let error where Self.isOfDamage(error):
      let findings = (try? SourceCheck.findings(store) { false }) ?? []
      return .damaged(store, findings.isEmpty ? ["\(error)"] : findings)
    case let error:
      return MigrationError(
        .hop, problem: "hop \(title) of store '\(store.path)' failed: \(error)", remedy: "nothing was changed",
        underlying: error)
    }
  }

  private static func isOfDamage(_ error: any Error) -> Bool {
    switch error {
    case let error as Diagnostic: error.code == "store.corrupt"
    case let error as HopError: error.underlying.map(isOfDamage) ?? false
    case let error as SQLiteError: error.isCorrupt
    default: false
    }
  }
}

/// The failure of a hop that ran in the store itself.
private struct InPlaceHopFailure: Error {
  var hop: MigrationHop
  var error: any Error
}

extension IncrementalMigrationManager {
  /// Returns the error for a plan that cannot be carried out in place; `nil` if it can, as far as the plan shows.
  func refusalInPlace(
    _ plan: IncrementalMigrationPlan, _ options: IncrementalMigrationOptions
  ) -> MigrationError? {
    let reasons = plan.inPlace?.refusals ?? refusalsInPlace(plan, options)
    return reasons.isEmpty ? nil : .notInPlace(plan.store, reasons)
  }
}

extension IncrementalMigrationManager {
  /// Drops all tables and columns that a migration in place has left in a store.
  ///
  /// ```swift
  /// var options = IncrementalMigrationOptions()
  /// (options.mode, options.defersCleanup) = (.inPlace, true)
  /// try manager.migrate(store, options: options)
  /// // Later, when the application has time:
  /// try manager.finishDeferredLightweightMigration(of: store)
  /// ```
  ///
  /// Each is dropped in a transaction of its own. If the process dies, the others remain to be dropped.
  ///
  /// - Parameters:
  ///   - store: The store, which no process may have open.
  ///   - monitor: Can end this before the next table or column.
  public func finishDeferredLightweightMigration(
    of store: URL, monitor: MigrationMonitor = MigrationMonitor()
  ) throws(MigrationError) {
    while !monitor.isCancelled, try finishDeferredLightweightMigrationTask(of: store, monitor: monitor) {}
  }

  /// Drops one table or column that a migration in place has left in a store.
  ///
  /// - Parameters:
  ///   - store: The store, which no process may have open.
  ///   - monitor: Can interrupt this, which is then undone.
  /// - Returns: True if more remain.
  @discardableResult
  public func finishDeferredLightweightMigrationTask(
    of store: URL, monitor: MigrationMonitor = MigrationMonitor()
  ) throws(MigrationError) -> Bool {
    let store = store.resolvingLinks
    return try MigrationError.wrapping(store) {
      let file = try StoreFile(url: store, mode: .readOnly)
      let isPending = !file.metadata.deferredCleanup.isEmpty
      try file.close()
      guard isPending else { return false }
      let transaction = InPlaceTransaction(store: store, files: files, cancellation: monitor.cancellation)
      return try transaction.run { file in
        try files.interceptor?(.change(store))
        return try file.performDeferredCleanup(limit: 1)
      }
    }
  }
}
