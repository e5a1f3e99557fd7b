public import Foundation
public import HeavyliftModel
import HeavyliftEngine

/// A migration that was carried out except for the last step. You can examine the new store before it is removed.
public struct MigrationRehearsal {
  /// The store that would be migrated. It was not changed.
  public var store: URL
  /// The store that would take its place. If the migration would change the store itself, this is a copy of it that was
  /// changed in the same way.
  public var newStore: URL
  /// The plan of the migration.
  public var plan: IncrementalMigrationPlan
  /// The report of the migration.
  public var report: IncrementalMigrationReport
  /// The provenance of the new objects, a file for `MigrationProvenance`; `nil` if it was not recorded.
  public var provenance: URL?
}

extension IncrementalMigrationManager {
  /// Carries out every step of `migrate` except for the last, passes the new store to a body, and removes all files.
  ///
  /// The store may be in use: it is only read. In the mode ``IncrementalMigrationOptions/Mode/inPlace``, a copy of it is
  /// changed with the same statements, so a rehearsal needs space for another store.
  ///
  /// - Parameters:
  ///   - store: The store that would be migrated.
  ///   - destination: The path that the new store would have; `nil` to rehearse migrating in place.
  ///   - model: The requested version; `nil` for the newest.
  ///   - options: The options for the migration.
  ///   - recordsProvenance: True to record which objects become which. The store of every hop is then written, so it is
  ///     not recorded if there is not enough space for that. In the mode `inPlace`, it is never recorded.
  ///   - monitor: Observes the rehearsal, and can cancel it.
  ///   - body: Examines the new store, which is removed afterwards, as is the provenance.
  public func rehearse<Result>(
    _ store: URL, into destination: URL? = nil, to model: ManagedObjectModel? = nil,
    options: IncrementalMigrationOptions = IncrementalMigrationOptions(), recordsProvenance: Bool = false,
    monitor: MigrationMonitor = MigrationMonitor(), _ body: (MigrationRehearsal) throws -> Result
  ) throws -> Result {
    defer { monitor.finish() }
    let store = store.resolvingLinks
    var manager = try resolved(for: store)
    let plan = try manager.chainPlan(for: store, into: destination, to: model, options: options)
    if plan.isCurrent {
      return try body(
        .init(store: store, newStore: store, plan: plan, report: IncrementalMigrationReport(store: store)))
    }
    if options.mode == .inPlace, let refusal = manager.refusalInPlace(plan, options) { throw refusal }
    let places = [destination, options.backup, options.provenance].compactMap(\.self)
    for place in places {
      if let refusal = try MigrationError.taken(place, besides: store, files) { throw refusal }
    }
    let made = MigrationPlaces(store: store, target: destination ?? store, backup: nil, files: files)
    if let obstacle = try made.obstacles().first { throw obstacle }
    let rehearsal = try RehearsalFolder(for: destination ?? store, of: store, files: files)
    defer { rehearsal.remove() }
    manager.isRehearsing = true
    // A log must not say that the store was migrated.
    manager.eventHandler = nil
    manager.hopOptions.provenance = nil
    let new = rehearsal.url.appending(path: (destination ?? store).lastPathComponent)
    var provenance: URL?
    var report: IncrementalMigrationReport
    if options.mode == .inPlace {
      report = try manager.migrateCopy(of: store, at: new, to: model, plan, options, monitor)
    } else {
      var made = IncrementalMigrationOptions(
        composesHops: options.composesHops, acceptsDamage: options.acceptsDamage)
      if recordsProvenance, manager.execution is any EngineHopExecution {
        made.provenance = rehearsal.url.appending(path: "provenance")
        let space = try manager.chainPlan(for: store, into: new, to: model, options: made)
        if let available = space.availableBytes, available < space.neededBytes { made.provenance = nil }
      }
      report = try manager.migrate(store, into: new, to: model, options: made, monitor: monitor)
      provenance = report.provenance
      report.provenance = nil
    }
    report.store = destination ?? store
    return try body(.init(store: store, newStore: new, plan: plan, report: report, provenance: provenance))
  }

  /// Copies a store, and changes the copy in place.
  private func migrateCopy(
    of store: URL, at copy: URL, to model: ManagedObjectModel?, _ plan: IncrementalMigrationPlan,
    _ options: IncrementalMigrationOptions, _ monitor: MigrationMonitor
  ) throws -> IncrementalMigrationReport {
    let needed = plan.storeBytes + plan.neededBytes
    let available = try files.availableBytes(at: store.deletingLastPathComponent())
    guard needed <= available else {
      throw MigrationError.noSpace(store, at: store, needed: needed, available: available)
    }
    do {
      try StoreCopy(files: files, cancellation: monitor.cancellation).copy(store, to: copy)
    } catch {
      guard let reason = monitor.cancellation.reason(for: error) else { throw error }
      throw MigrationError(
        .cancelled, problem: "the rehearsal of store '\(store.path)' was cancelled", remedy: "nothing was changed",
        underlying: reason)
    }
    return try migrate(copy, to: model, options: options, monitor: monitor)
  }
}

/// The folder for a rehearsal. It is inside the work folder of the real migration and under the same lock, so a
/// rehearsal and a migration never run at once, and each cleans up if the other was killed.
private final class RehearsalFolder {
  let url: URL
  private let work: WorkFolder
  private let files: FileOperations
  private let hasJournal: Bool
  private var lock: MigrationLock?

  init(for target: URL, of store: URL, files: FileOperations) throws {
    self.files = files
    work = WorkFolder(for: target, files: files)
    url = work.url.appending(path: "rehearsal")
    do {
      lock = try work.lock()
      // An interrupted migration continues from its own files, so they must stay.
      hasJournal = try files.exists(work.journalFile)
      try files.remove(url)
      try files.makeFolder(url)
    } catch let error where !(error is MigrationError) {
      throw MigrationError.files(store, "folder '\(work.url.path)' cannot be created", error)
    }
  }

  func remove() {
    try? files.remove(url)
    if !hasJournal { try? work.remove() }
    lock = nil
  }
}
