import Foundation
import HeavyliftModel
import HeavyliftStore

/// One run of an incremental migration.
///
/// What an earlier run has left is decided first: a new store that is in its place already only needs tidying up; one
/// that is complete is put there; finished hops are not done again. All else is rubbish.
final class MigrationSession {
  let manager: IncrementalMigrationManager
  let store: URL
  let target: URL
  let options: IncrementalMigrationOptions
  let files: FileOperations
  let work: WorkFolder
  private let model: ManagedObjectModel?
  private var lock: MigrationLock?
  private var hold: StoreHold?

  init(
    manager: IncrementalMigrationManager, store: URL, target: URL, model: ManagedObjectModel?,
    options: IncrementalMigrationOptions
  ) {
    self.manager = manager
    self.store = store
    self.target = target
    self.model = model
    self.options = options
    files = manager.files
    work = WorkFolder(for: target, files: files)
  }

  var isInPlace: Bool { store == target }
  /// Where to leave which objects came of which.
  var provenance: URL? {
    guard !manager.isRehearsing else { return nil }
    return options.provenance ?? (manager.execution as? any ProvenanceHopExecution)?.provenance
  }
  /// Whether hops that are done serve another try.
  var isKept: Bool { !manager.isRehearsing }

  func run() throws -> IncrementalMigrationReport {
    var report = IncrementalMigrationReport(store: target)
    if work.exists {
      lock = try work.lock()
      report.finishedEarlierRun = try finishEarlierRun()
      // The lock went with the folder.
      if report.finishedEarlierRun { lock = nil }
    }
    if !isInPlace {
      if report.finishedEarlierRun { return report }
      guard !files.exists(target) else {
        // What an earlier run has left is of no use to anybody.
        try giveUp()
        throw IncrementalMigrationError.destinationExists(target)
      }
    }
    if isInPlace { try StoreHold.takeBackUnfinished(store) }
    let first = try plan()
    if first.isCurrent, isInPlace {
      try giveUp()
      return report
    }
    try prepare(first)
    do {
      return try perform(report)
    } catch {
      tidyUpAfterFailure()
      throw error
    }
  }

  private func plan() throws -> IncrementalMigrationPlan { try manager.plan(for: store, to: model, options: options) }

  private func prepare(_ plan: IncrementalMigrationPlan) throws {
    if provenance != nil, !(manager.execution is any ProvenanceHopExecution) {
      throw IncrementalMigrationError.noProvenance(store)
    }
    let places = MigrationPlaces(
      store: store, target: target, backup: options.backup, provenance: provenance, files: files)
    if let obstacle = places.obstacles().first { throw obstacle }
    let needed = plan.isCurrent ? plan.storeBytes : plan.neededBytes
    let available = try files.availableBytes(at: target.deletingLastPathComponent())
    // What an earlier run has made already is not needed again, so only a new one is refused.
    guard work.exists || needed <= available else {
      throw IncrementalMigrationError.noSpace(store, needed: needed, available: available)
    }
    if lock == nil {
      do {
        lock = try work.lock()
      } catch let error where !(error is IncrementalMigrationError) {
        throw IncrementalMigrationError.files(store, "folder '\(work.url.path)' cannot be made", error)
      }
    }
  }

  private func perform(_ begun: IncrementalMigrationReport) throws -> IncrementalMigrationReport {
    var report = begun
    if isInPlace { hold = try StoreHold(store, files: files) }
    // Decided anew now that nobody can come between.
    let plan = try plan()
    if plan.isCurrent, isInPlace {
      hold?.release()
      hold = nil
      try giveUp()
      return report
    }
    var journal = try resumedJournal(plan)
    if let backup = options.backup, journal.finishedHops == 0, journal.state == .working {
      for place in [backup, WorkFolder.supportFolder(of: backup)] where files.exists(place) {
        throw IncrementalMigrationError.destinationExists(place)
      }
    }
    if let provenance, files.exists(provenance), leftProvenance(journal)?.isLeft != true {
      throw IncrementalMigrationError.destinationExists(provenance)
    }
    report.hops = try HopRun(session: self, plan: plan).run(&journal)
    try StoreSwap(session: self).run(&journal, hold)
    hold = nil
    report.backup = options.backup
    report.provenance = journal.provenance.flatMap { _ in provenance }
    try finish(journal)
    return report
  }

  /// The journal of an earlier run, if that began with the same store and would do the same; otherwise a new one.
  private func resumedJournal(_ plan: IncrementalMigrationPlan) throws -> MigrationJournal {
    guard let source = StoreFingerprint(store) else { throw POSIXError(.ENOENT) }
    let parts = [
      plan.digest, options.revision, target.path, options.backup?.path ?? "", provenance?.path ?? "",
    ]
    let digest = parts.joined(separator: "\n").digestText
    if let journal = work.journal(), journal.source == source, journal.plan == digest, isWhole(journal) {
      return journal
    }
    try takeBackAddedFiles()
    try work.clear()
    let journal = MigrationJournal(source: source, plan: digest, backup: options.backup, provenance: provenance)
    try work.write(journal)
    return journal
  }

  /// Whether the store that the journal speaks of is there, as it was.
  private func isWhole(_ journal: MigrationJournal) -> Bool {
    guard let last = journal.last else { return journal.state == .working }
    let made = work.url.appending(path: last.file)
    if let kept = journal.provenance, FileIdentity(work.url.appending(path: kept.file)) != kept.identity {
      return false
    }
    let (new, present) = (ExternalDataFolder(store: made), ExternalDataFolder(store: target))
    return FileIdentity(made) == last.identity
      && journal.addedFiles.allSatisfy { files.exists(new.file(named: $0)) || files.exists(present.file(named: $0)) }
  }

  /// Tidies up after a run that was ended when its new store was in its place.
  private func finishEarlierRun() throws -> Bool {
    guard let journal = work.journal(), journal.state == .ready, let last = journal.last,
      let present = FileIdentity(target), present.isSameFile(as: last.identity)
    else { return false }
    try finish(journal)
    return true
  }

  /// What comes after the swap.
  ///
  /// Only that the new name is on disk matters to the new store; what cannot be tidied up now is left to another run.
  private func finish(_ journal: MigrationJournal) throws {
    try files.synchronize(target.deletingLastPathComponent())
    try? tidyUp(journal)
    lock = nil
  }

  private func tidyUp(_ journal: MigrationJournal) throws {
    let folder = ExternalDataFolder(store: target)
    for name in journal.removedFiles { try files.remove(folder.file(named: name)) }
    try work.remove()
  }

  /// What is to be left of objects' origins, when all hops are done.
  func leftProvenance(_ journal: MigrationJournal) -> LeftProvenance? {
    guard let made = journal.provenance, let place = journal.provenancePlace else { return nil }
    return LeftProvenance(made: work.url.appending(path: made.file), place: URL(filePath: place), files: files)
  }

  /// Leaves nothing of a migration that is not to be.
  private func giveUp() throws {
    guard work.exists else { return }
    try takeBackAddedFiles()
    try work.remove()
    lock = nil
  }

  private func takeBackAddedFiles() throws {
    guard let journal = work.journal() else { return }
    // They may be taken back only while the old store, or none, is in the place: anything else may be the new one.
    let present = FileIdentity(target)
    guard present == nil || isInPlace && present?.isSameFile(as: journal.source.file) == true else { return }
    if journal.state == .ready, let backup = journal.backup.map({ URL(filePath: $0) }) {
      // The name was free, and the store has not been swapped: it is a backup of what is still there.
      try files.remove(backup)
      try files.remove(WorkFolder.supportFolder(of: backup))
    }
    if journal.state == .ready { try leftProvenance(journal)?.takeBack() }
    let folder = ExternalDataFolder(store: target)
    for name in journal.addedFiles { try files.remove(folder.file(named: name)) }
    guard !journal.addedFiles.isEmpty, try folder.fileNames().isEmpty else { return }
    // An empty folder may have been there before; one that was not is no harm.
    try files.remove(folder.url)
    try files.remove(folder.url.deletingLastPathComponent())
  }

  /// Keeps finished hops for another try, and nothing else.
  private func tidyUpAfterFailure() {
    hold?.release()
    hold = nil
    if let journal = work.journal(), journal.finishedHops > 0 {
      try? work.clear(keeping: journal.last.map { work.url.appending(path: $0.file) })
    } else {
      try? giveUp()
    }
    lock = nil
  }
}
