public import Foundation
public import HeavyliftModel

/// A migration that was carried out up to the last step: the new store is there to be looked at, and is then removed.
public struct MigrationRehearsal {
  /// The store that would be migrated; nothing of it was changed.
  public var store: URL
  /// The store that would take its place.
  public var newStore: URL
  /// What was decided before it began.
  public var plan: IncrementalMigrationPlan
  /// What was done.
  public var report: IncrementalMigrationReport
}

extension IncrementalMigrationManager {
  /// Does all that `migrate` does but for the last step, hands the new store to a body, and leaves nothing behind.
  ///
  /// The store may be in use meanwhile: it is only read.
  ///
  /// - Parameters:
  ///   - store: The store that would be migrated.
  ///   - destination: Where the new store would be, if not in the old one's place.
  ///   - model: The version that is wanted; nil for the newest.
  ///   - options: What it would be done with.
  ///   - body: Looks at the new store, which is gone when it returns.
  public func rehearse<Result>(
    _ store: URL, into destination: URL? = nil, to model: ManagedObjectModel? = nil,
    options: IncrementalMigrationOptions = IncrementalMigrationOptions(),
    _ body: (MigrationRehearsal) throws -> Result
  ) throws -> Result {
    defer { reporter.finish() }
    let store = store.resolvingLinks
    let plan = try plan(for: store, to: model, options: options)
    if plan.isCurrent {
      return try body(
        .init(store: store, newStore: store, plan: plan, report: IncrementalMigrationReport(store: store)))
    }
    let places = [destination, options.backup, options.provenance].compactMap(\.self)
    for place in places where try files.exists(place) { throw IncrementalMigrationError.destinationExists(place) }
    let made = MigrationPlaces(store: store, target: destination ?? store, backup: nil, files: files)
    if let obstacle = try made.obstacles().first { throw obstacle }
    let stage = try RehearsalStage(for: destination ?? store, of: store, files: files)
    defer { stage.remove() }
    var manager = self
    manager.isRehearsing = true
    let new = stage.folder.appending(path: (destination ?? store).lastPathComponent)
    var report = try manager.migrate(
      store, into: new, version: model,
      options: IncrementalMigrationOptions(acceptsDamage: options.acceptsDamage))
    report.store = destination ?? store
    return try body(.init(store: store, newStore: new, plan: plan, report: report))
  }
}

/// Where a rehearsal plays: in the work folder of the migration that is rehearsed, under its lock, so that the two do not
/// run at once, and the next of either clears away what a killed one has left.
private final class RehearsalStage {
  let folder: URL
  private let work: WorkFolder
  private let files: FileOperations
  private let hasJournal: Bool
  private var lock: MigrationLock?

  init(for target: URL, of store: URL, files: FileOperations) throws {
    self.files = files
    work = WorkFolder(for: target, files: files)
    folder = work.url.appending(path: "rehearsal")
    do {
      lock = try work.lock()
      // An earlier migration that was ended goes on from what it has left.
      hasJournal = try files.exists(work.journalFile)
      try files.remove(folder)
      try files.makeFolder(folder)
    } catch let error where !(error is IncrementalMigrationError) {
      throw IncrementalMigrationError.files(store, "folder '\(work.url.path)' cannot be made", error)
    }
  }

  func remove() {
    try? files.remove(folder)
    if !hasJournal { try? work.remove() }
    lock = nil
  }
}
