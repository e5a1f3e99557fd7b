import Foundation
import HeavyliftArchive
import HeavyliftModel
import HeavyliftSQLite
import HeavyliftStore
import HeavyliftEngine

/// One run of an incremental migration.
///
/// The files of an earlier run are handled first: if its new store is already in place, only cleanup remains; a
/// complete new store is put in place; finished hops are not repeated. All other files are garbage.
final class MigrationSession {
  let manager: IncrementalMigrationManager
  let store: URL
  let target: URL
  let options: IncrementalMigrationOptions
  let monitor: MigrationMonitor
  let files: FileOperations
  let work: WorkFolder
  let model: ManagedObjectModel?
  /// True if finished hops are not kept after a failure, because what they did may be its reason, or because the old
  /// store turned out to be damaged.
  var startsOver = false
  /// The damage of the log, which SQLite ignores and overwrites.
  private var logDamage: [String] = []
  var lock: MigrationLock?
  private var hold: StoreHold?

  init(
    manager: IncrementalMigrationManager, store: URL, target: URL, model: ManagedObjectModel?,
    options: IncrementalMigrationOptions, monitor: MigrationMonitor
  ) {
    self.manager = manager
    self.store = store
    self.target = target
    self.model = model
    self.options = options
    self.monitor = monitor
    files = manager.files
    work = WorkFolder(for: target, files: files)
  }

  var isInPlace: Bool { store == target }
  /// The path for the provenance file.
  var provenance: URL? { options.provenance ?? (manager.execution as? any EngineHopExecution)?.provenance }
  /// True if finished hops are kept for another try.
  var isKept: Bool { !manager.isRehearsing }

  func run() throws -> IncrementalMigrationReport {
    var report = IncrementalMigrationReport(store: target)
    if try work.exists() {
      lock = try work.lock()
      if let hops = try finishEarlierRun() { (report.earlierHops, report.finishedEarlierRun) = (hops, true) }
      // The lock was removed with the folder.
      if report.finishedEarlierRun { lock = nil }
    }
    if !isInPlace {
      if report.finishedEarlierRun { return report }
      if let refusal = try MigrationError.taken(target, besides: store, files) {
        // The files of an earlier run are no longer useful.
        try giveUp()
        throw refusal
      }
    }
    if isInPlace { try StoreHold.takeBackUnfinished(store) }
    let first = try plan()
    if first.isCurrent, isInPlace {
      try giveUp()
      return report
    }
    if !first.isCurrent { manager.eventHandler?(.began(first)) }
    logDamage = try SourceCheck.logDamage(store)
    guard logDamage.isEmpty || options.acceptsDamage else { throw MigrationError.damaged(store, logDamage) }
    if options.mode == .inPlace { return try performInPlace(first, report) }
    try prepare(first)
    do {
      return try perform(report)
    } catch {
      tidyUpAfterFailure()
      throw error
    }
  }

  func plan() throws -> IncrementalMigrationPlan {
    // The changes in place are planned in the transaction that makes them.
    options.mode == .inPlace
      ? try manager.path(for: store, into: target, to: model, options: options)
      : try manager.chainPlan(for: store, into: target, to: model, options: options)
  }

  private func prepare(_ plan: IncrementalMigrationPlan) throws {
    if provenance != nil, !(manager.execution is any EngineHopExecution) {
      throw MigrationError.noProvenance(store)
    }
    let places = MigrationPlaces(
      store: store, target: target, backup: options.backup, provenance: provenance, files: files)
    if let obstacle = try places.obstacles().first { throw obstacle }
    // Files from an earlier run do not need space again, so only a fresh run is refused.
    if try work.exists() { return try takeLock() }
    var space = NeededSpace(plan, at: target, options, files)
    try refuseShortage(space)
    try takeLock()
    do {
      try space.tryLinking(in: work.url)
      try refuseShortage(space)
    } catch {
      try? giveUp()
      throw error
    }
  }

  private func refuseShortage(_ space: NeededSpace) throws {
    let (needed, available) = (space.bytes, try files.availableBytes(at: target.deletingLastPathComponent()))
    guard needed <= available else {
      throw MigrationError.noSpace(store, at: target, needed: needed, available: available)
    }
  }

  /// Creates the work folder, and locks it unless this run has done so.
  func takeLock() throws {
    guard lock == nil else { return }
    do {
      lock = try work.lock()
    } catch let error where !(error is MigrationError) {
      throw MigrationError.files(store, "folder '\(work.url.path)' cannot be created", error)
    }
  }

  private func perform(_ begun: IncrementalMigrationReport) throws -> IncrementalMigrationReport {
    var report = begun
    if isInPlace {
      try checkRights()
      hold = try StoreHold(store, files: files)
    }
    // Plans again, now that no other process can interfere.
    let plan = try plan()
    if plan.isCurrent, isInPlace {
      hold?.release()
      hold = nil
      try giveUp()
      return report
    }
    var journal = try resumedJournal(plan)
    try backup(journal)?.refuseOthers(besides: store)
    if let provenance, let refusal = try MigrationError.taken(provenance, besides: store, files),
      try leftProvenance(journal)?.isLeft() != true
    {
      throw refusal
    }
    report.hops = try runHops(plan, &journal)
    try StoreSwap(session: self).run(&journal, hold)
    hold = nil
    report.backup = options.backup
    report.provenance = journal.provenance.flatMap { _ in provenance }
    try finish(journal)
    return report
  }

  /// Carries out the hops. If the source is damaged, throws before anything is put in place.
  private func runHops(
    _ plan: IncrementalMigrationPlan, _ journal: inout MigrationJournal
  ) throws -> [IncrementalMigrationReport.Hop] {
    // Only the check tells what can be read.
    if options.acceptsDamage {
      let damage = try sourceDamage()
      return try ChainRun(
        session: self, plan: plan, damage: (damage ?? []) + logDamage, isSourceChecked: damage != nil
      ).run(&journal)
    }
    let check = SourceCheck(store, cancellation: monitor.cancellation)
    if let error = check.failureToBegin, !isInPlace, monitor.cancellation.reason == nil { throw error }
    let run = ChainRun(session: self, plan: plan, damage: [])
    do {
      let hops = try run.run(&journal)
      try check.end()
      return hops
    } catch let error as MigrationError where error.kind == .cancelled {
      check.abandon()
      throw error
    } catch {
      // All hops are done, and the run was only waiting for the check.
      if !(error is MigrationError), let reason = monitor.cancellation.reason(for: error) {
        check.abandon()
        throw run.cancelledAtEnd(reason)
      }
      do {
        try check.explainFailure()
      } catch {
        startsOver = true
        throw error
      }
      throw error
    }
  }

  /// Returns the damage in the source; nil if it cannot be checked.
  private func sourceDamage() throws -> [String]? {
    let cancellation = monitor.cancellation
    do {
      return try SourceCheck.findings(store) { cancellation.isCancelled }
    } catch let error as SQLiteError where error.isBusy {
      // Another program keeps writing. The source is copied later in one consistent state; that reads every page.
      return nil
    } catch let error as SQLiteError where error.isInterrupt {
      // The first hop reports the cancellation.
      return nil
    }
  }

  /// Before any work is done, throws if users of the old store could not use the new one, or if the new store could not
  /// have the same attributes.
  private func checkRights() throws {
    guard let rights = try FileRights(of: store) else { return }
    let trial = work.url.appending(path: "rights")
    try files.remove(trial)
    try rights.makeFile(at: trial)
    try files.setAttributes(of: trial, to: ExtendedAttributes(of: store))
    try files.setRights(of: trial, to: rights, refusesLockout: true)
    try files.remove(trial)
  }

  /// Returns the journal of an earlier run if that run started from the same store and would do the same work;
  /// otherwise a new one.
  private func resumedJournal(_ plan: IncrementalMigrationPlan) throws -> MigrationJournal {
    guard let source = try StoreFingerprint(store) else { throw POSIXError(.ENOENT) }
    let hopOptions = manager.engineHops?.options
    let parts = [
      plan.digest, options.revision, target.path, options.backup?.path ?? "", provenance?.path ?? "",
      // A finished hop may have left behind what this run keeps, or may not have been verified.
      hopOptions.map { "\($0.unknownTables)" } ?? "", hopOptions?.configuration ?? "",
      hopOptions.map { PropertyList.dictionary($0.applicationValues).binaryData.base64EncodedString() } ?? "",
      manager.hopHandler == nil ? "" : "verified",
    ]
    let digest = parts.joined(separator: "\n").digestText
    if let journal = try work.journal(), journal.plan == digest, !options.acceptsDamage,
      journal.source == source || journal.isSwapping && journal.source.isSameContent(as: source),
      // The digest covers both paths, but they are also compared directly: only the options may determine the paths of
      // files.
      journal.backup?.place == options.backup?.path, journal.provenancePlace == provenance?.path,
      try isWhole(journal)
    {
      return journal
    }
    try takeBackAddedFiles()
    try work.clear()
    let journal = MigrationJournal(
      source: source, plan: digest, hops: plan.hops, backup: options.backup, provenance: provenance)
    try work.write(journal)
    return journal
  }

  /// Returns true if the journal's last store exists and is unchanged.
  private func isWhole(_ journal: MigrationJournal) throws -> Bool {
    guard let last = journal.last else { return journal.state == .working }
    let made = work.url.appending(path: last.file)
    if let kept = journal.provenance, try FileIdentity(work.url.appending(path: kept.file)) != kept.identity {
      return false
    }
    let (new, present) = (ExternalDataFolder(store: made), ExternalDataFolder(store: target))
    return try FileIdentity(made) == last.identity
      && journal.addedFiles.allSatisfy {
        try files.exists(new.file(named: $0)) || files.exists(present.file(named: $0))
      }
  }

  /// Cleans up after a run that was interrupted with its new store already in place. Returns the hops of that run, which
  /// may not have been able to report them; nil if there was no such run.
  private func finishEarlierRun() throws -> [IncrementalMigrationReport.Hop]? {
    guard let journal = try work.journal(), journal.state == .ready, let last = journal.last,
      let present = try FileIdentity(target), try isNew(present, last)
    else { return nil }
    try finish(journal)
    return zip(journal.hops, journal.reports).map { hop, report in
      .init(title: hop.title, origin: hop.origin, report: nil, earlierReport: report, seconds: 0)
    }
  }

  /// Returns true if the file in place is the new store.
  ///
  /// The files in a folder that was copied, or restored from a backup, have different inode numbers. In that case, the
  /// file is the new store if its size and modification time match, or if its bytes equal those of a new store that is
  /// still in the work folder.
  private func isNew(_ present: FileIdentity, _ last: MigrationJournal.FinishedHop) throws -> Bool {
    if present.isSameFile(as: last.identity) || present.isSameState(as: last.identity) { return true }
    let made = work.url.appending(path: last.file)
    guard !isInPlace, try files.size(of: made) == present.size else { return false }
    return FileManager.default.contentsEqual(atPath: made.path, andPath: target.path)
  }

  /// Carries out the steps after the swap.
  ///
  /// Only the new store's name still has to be synced to disk. Cleanup that fails now is left to another run.
  private func finish(_ journal: MigrationJournal) throws {
    do {
      try files.synchronize(target.deletingLastPathComponent())
    } catch {
      throw MigrationError.unconfirmed(target, error)
    }
    try? tidyUp(journal)
    lock = nil
  }

  private func tidyUp(_ journal: MigrationJournal) throws {
    let folder = ExternalDataFolder(store: target)
    for name in try StoreFamily(store: target, files: files).unshared(journal.removedFiles) {
      try files.remove(folder.file(named: name))
    }
    try work.remove()
  }

  /// Returns the provenance to put in place after all hops are done.
  func leftProvenance(_ journal: MigrationJournal) -> LeftProvenance? {
    guard let made = journal.provenance, let place = journal.provenancePlace else { return nil }
    return LeftProvenance(
      made: work.url.appending(path: made.file), place: URL(filePath: place), mark: journal.mark,
      files: files)
  }

  /// Returns the backup, which may be incomplete.
  func backup(_ journal: MigrationJournal) -> StoreBackup? {
    journal.backup.map { StoreBackup(backup: $0, mark: journal.mark, files: files) }
  }

  /// Removes all files of a migration that is abandoned.
  func giveUp() throws {
    guard try work.exists() else { return }
    try takeBackAddedFiles()
    try work.remove()
    lock = nil
  }

  private func takeBackAddedFiles() throws {
    guard let journal = try work.journal() else { return }
    // Added files may be removed only while the old store, or none, is in place: any other store may be the new one.
    guard try isOldInPlace(journal) else { return }
    // Otherwise, a backup would remain of a store that is still in place.
    try backup(journal)?.takeBack()
    if journal.state == .ready { try leftProvenance(journal)?.takeBack() }
    let names = try StoreFamily(store: target, files: files).unshared(journal.addedFiles)
    try MovedValues(names: names, from: work.url, to: target, files: files).remove()
  }

  /// Returns true if the old store is in place, or no store at all.
  private func isOldInPlace(_ journal: MigrationJournal) throws -> Bool {
    guard let present = try StoreFingerprint(target) else { return true }
    return isInPlace && (present.file.isSameFile(as: journal.source.file) || present.isSameState(as: journal.source))
  }

  /// Keeps finished hops for another try, and nothing else.
  private func tidyUpAfterFailure() {
    hold?.release()
    hold = nil
    if let journal = try? work.journal(), journal.finishedHops > 0, !startsOver {
      try? work.clear(keeping: journal.last.map { [work.url.appending(path: $0.file)] } ?? [])
    } else {
      try? giveUp()
    }
    lock = nil
  }
}
