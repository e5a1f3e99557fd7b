import Foundation
import HeavyliftModel
import HeavyliftSQLite
import HeavyliftStore
import HeavyliftEngine

/// Carries out the hops that are not done yet. A hop is done when its store is complete, checked and on disk.
struct ChainRun {
  let session: MigrationSession
  let plan: IncrementalMigrationPlan
  /// The damage in a source whose readable part is being migrated; empty for an intact source.
  let damage: [String]
  /// True if the source is checked for damage; false if that was not possible.
  let isSourceChecked: Bool
  var files: FileOperations { session.files }
  var work: WorkFolder { session.work }
  /// The number of stores to write: at least 1, because a store that is already at the requested version is copied.
  private var count: Int { max(plan.hops.count, 1) }

  init(session: MigrationSession, plan: IncrementalMigrationPlan, damage: [String], isSourceChecked: Bool = true) {
    self.session = session
    self.plan = plan
    self.damage = damage
    self.isSourceChecked = isSourceChecked
  }

  func run(_ journal: inout MigrationJournal) throws -> [IncrementalMigrationReport.Hop] {
    var reports: [IncrementalMigrationReport.Hop] = []
    let clock = ContinuousClock()
    var number = 1
    var source = session.store
    var noteOfContinuation: Diagnostic?
    while number <= count {
      try refuseCancelled(number)
      var report: MigrationReport?
      var continued = HopContinuation.Result()
      let duration = try clock.measure {
        guard number > journal.finishedHops else { return }
        if let last = journal.last { source = work.url.appending(path: last.file) }
        // A store that is current is copied without a hop.
        let hop = plan.hops.dropFirst(number - 1).first
        let hasLaterHandlers = hop?.handlers.contains { $0 != .willMigrate } == true
        let handled = try HandledStores(work).resume(number, hasLaterHandlers: hasLaterHandlers, &journal)
        try work.clear(keeping: (number == 1 ? [] : [source]) + handled)
        var salvaged: [Diagnostic] = []
        if !damage.isEmpty, number == 1 {
          source = work.source
          salvaged = try StoreSalvage(store: session.store, findings: damage, files: files).make(at: source)
        }
        do {
          report = try perform(number, from: source, &journal)
        } catch let error where isChanging(error, source) {
          try work.clear()
          source = try copySource()
          report = try perform(number, from: source, &journal)
        }
        // The journal says that handlers have run in this store: it must stay as they left it.
        if journal.handlers == nil {
          continued = HopContinuation(run: self).perform(after: number, in: work.hop(number))
        }
        report?.notes.insert(contentsOf: salvaged, at: 0)
        report?.notes += [noteOfContinuation].compactMap(\.self)
        noteOfContinuation = continued.note
        // The stores between hops have the same dangling references as the user's store, which were reported with the
        // first hop.
        if number > 1 {
          report?.notes.removeAll { $0.code == "store.missing-external-file" }
          journal.handlers?.report?.notes.removeAll { $0.code == "store.missing-external-file" }
        }
        journal.reports =
          journal.reports.prefix(number - 1) + [report ?? journal.handlers?.report] + continued.hops.map(\.report)
        try note(number + continued.hops.count, in: work.hop(number), &journal)
      }
      if number <= plan.hops.count {
        let hop = plan.hops[number - 1]
        var done = IncrementalMigrationReport.Hop(
          title: hop.title, origin: hop.origin, report: report,
          seconds: duration / .seconds(1) - continued.hops.reduce(0) { $0 + $1.seconds })
        if report == nil { done.earlierReport = journal.reports[number - 1] }
        reports.append(done)
        if let report { tell(done, report, number) }
      }
      for (place, hop) in continued.hops.enumerated() { tell(hop, hop.report, number + 1 + place) }
      reports += continued.hops
      number += 1 + continued.hops.count
    }
    if !session.manager.isRehearsing {
      record(count, .swapping, fraction: 1)
      session.manager.eventHandler?(.swapping(store: session.target))
    }
    // The progress handler may have cancelled the migration after the last hop.
    try refuseCancelled(count)
    // The store before the last one is no longer needed.
    if let last = journal.last { try work.clear(keeping: [work.url.appending(path: last.file)]) }
    return reports
  }

  /// Tells the event handler of a finished hop.
  private func tell(_ hop: IncrementalMigrationReport.Hop, _ report: MigrationReport?, _ number: Int) {
    guard let handler = session.manager.eventHandler else { return }
    for note in report?.notes ?? [] where note.severity != .note { handler(.warning(note)) }
    handler(.hopFinished(hop, number: number))
  }

  /// Returns true if the error means that another program wrote to the source, which is not locked, before a read
  /// transaction started.
  private func isChanging(_ error: any Error, _ source: URL) -> Bool {
    guard !session.isInPlace, source == session.store else { return false }
    switch error {
    case let error as MigrationError: return error.underlying.map { isChanging($0, source) } ?? false
    case let error as HopError: return error.underlying.map { isChanging($0, source) } ?? false
    case let error as Diagnostic: return error.code == SourceAttachment.changedCode
    default: return false
    }
  }

  /// Copies the source in one consistent state, because another program keeps writing to it.
  private func copySource() throws -> URL {
    let copy = work.source
    let cancellation = session.monitor.cancellation
    do {
      try StoreCopy(files: files, cancellation: cancellation).copy(session.store, to: copy)
    } catch {
      throw cancellation.reason(for: error).map { cancelled(1, $0) } ?? error
    }
    return copy
  }

  private func perform(
    _ number: Int, from source: URL, _ journal: inout MigrationJournal
  ) throws -> MigrationReport? {
    guard number <= plan.hops.count else {
      let cancellation = session.monitor.cancellation
      do {
        try StoreCopy(files: files, cancellation: cancellation).copy(source, to: work.hop(number))
      } catch {
        throw cancellation.reason(for: error).map { cancelled(number, $0) } ?? error
      }
      return nil
    }
    let hop = plan.hops[number - 1]
    session.manager.eventHandler?(.hopBegan(hop, number: number, count: count))
    do {
      if !hop.handlers.isEmpty {
        return try StageExecution(run: self, hop: hop, number: number, source: source).perform(&journal)
      }
      record(number, .preparing, fraction: 0)
      let report = try migrate(hop, number, from: source)
      record(number, .finishing, fraction: 1)
      try check(work.hop(number), hop)
      try handOver(hop, number, from: source, report)
      try composeProvenance(number)
      try finishProvenance(number)
      return report
    } catch {
      throw failure(hop, number, error)
    }
  }

  func migrate(
    _ hop: MigrationHop, _ number: Int, from source: URL, in span: ClosedRange<Float> = 0...1
  ) throws -> MigrationReport {
    let store = work.hop(number)
    var monitor = monitor(number, in: span)
    // Handlers work on the hop's store before `note` syncs it.
    monitor.caller.syncsDestination = hop.handlers.isEmpty
    if session.provenance != nil || session.manager.hopHandler != nil {
      monitor.provenance = work.hopProvenance(number)
    }
    return try session.manager.execution.migrate(from: source, to: store, hop: hop, monitor: monitor)
  }

  /// Calls the hop handler with a finished hop.
  func handOver(_ hop: MigrationHop, _ number: Int, from source: URL, _ report: MigrationReport) throws {
    guard let handler = session.manager.hopHandler else { return }
    let provenance = work.hopProvenance(number)
    let hasProvenance = try files.exists(provenance)
    try handler(
      FinishedHop(
        hop: hop, number: number, source: source, destination: work.hop(number),
        provenance: hasProvenance ? provenance : nil, changedEntities: report.changedEntities))
    if hasProvenance, session.provenance == nil { try files.remove(provenance) }
  }

  /// Joins the hop's provenance with that of the hops before it.
  func composeProvenance(_ number: Int) throws {
    guard session.provenance != nil else { return }
    let (alone, whole) = (work.hopProvenance(number), work.provenance(number))
    let cancellation = session.monitor.cancellation
    if number == 1 {
      try files.move(alone, to: whole)
    } else {
      try ProvenanceComposition(earlier: work.provenance(number - 1), latest: alone)
        .write(to: whole, cancellation: cancellation)
      try files.remove(alone)
    }
  }

  /// Writes the combined provenance in the requested form.
  func finishProvenance(_ number: Int) throws {
    guard let place = session.provenance else { return }
    let (whole, cancellation) = (work.provenance(number), session.monitor.cancellation)
    guard number == count, ProvenanceForm(of: place) == .lines else { return }
    try ProvenanceLines(provenance: whole, files: files)
      .write(to: work.provenance(number, as: .lines), cancellation: cancellation)
  }

  /// Returns the provenance that is kept after a hop; `nil` if none was requested, or no hop was carried out.
  private func keptProvenance(_ number: Int) -> URL? {
    guard let place = session.provenance, number <= plan.hops.count else { return nil }
    return work.provenance(number, as: number == count ? ProvenanceForm(of: place) : .database)
  }

  private func monitor(_ number: Int, in span: ClosedRange<Float>) -> HopMonitor {
    var monitor = HopMonitor(cancellation: session.monitor.cancellation) { progress in
      record(
        number, .migrating(progress),
        fraction: span.lowerBound + progress.fraction * (span.upperBound - span.lowerBound))
    }
    if let handler = session.manager.eventHandler {
      monitor.planned = { handler(.hopPlanned($0, number: number)) }
    }
    monitor.caller.files = files
    monitor.caller.acceptsMissingFiles = session.options.acceptsDamage
    // This migration has written the stores between hops.
    monitor.caller.checksSource = isSourceChecked || number > 1
    return monitor
  }

  /// Checks that the hop's store has the version that it should have.
  func check(_ store: URL, _ hop: MigrationHop) throws {
    let file = try StoreFile(url: store, mode: .readOnly)
    defer { try? file.close() }
    _ = try file.requireVersion(hop.destinationModel)
  }

  /// Syncs everything to disk, and only then records that the hop is done.
  private func note(_ number: Int, in store: URL, _ journal: inout MigrationJournal) throws {
    try files.interceptor?(.merge(store))
    // The journal says already that the handlers are done, so their store must survive a power failure here.
    let isLasting = journal.handlers != nil
    try setJournalMode(
      store, withLog: number < count || journal.source.header.dropFirst(18).first == 2, isLasting: isLasting)
    guard let rights = try FileRights(of: session.store) else { throw POSIXError(.ENOENT) }
    try files.setAttributes(of: store, to: ExtendedAttributes(of: session.store))
    try files.setRights(of: store, to: rights, refusesLockout: session.isInPlace)
    try files.synchronize(store)
    let values = ExternalDataFolder(store: store)
    for folder in [values.url, values.supportFolder]
    where try files.exists(folder) {
      try files.setRights(of: folder, to: rights.ofFolder)
      try files.synchronize(folder)
    }
    journal.provenance = try keptProvenance(number).map { kept in
      try files.setRights(of: kept, to: rights)
      try files.synchronize(kept)
      guard let identity = try FileIdentity(kept) else { throw POSIXError(.ENOENT) }
      return .init(file: kept.lastPathComponent, identity: identity)
    }
    try files.synchronize(work.url)
    guard let identity = try FileIdentity(store) else { throw POSIXError(.ENOENT) }
    journal.finishedHops = number
    journal.handlers = nil
    journal.last = .init(file: store.lastPathComponent, identity: identity)
    if number == count {
      let old = session.isInPlace ? try ExternalDataFolder(store: session.store).fileNames() : []
      let new = try ExternalDataFolder(store: store).fileNames()
      journal.addedFiles = new.filter { !old.contains($0) }
      let gone = Set(old).subtracting(new)
      // A row that could not be read may refer to any of these files.
      journal.removedFiles =
        damage.isEmpty ? try StoreFamily.references(of: session.store, among: gone).sorted() : []
      for name in journal.addedFiles {
        try setRights(ofValue: ExternalDataFolder(store: store).file(named: name), rights)
      }
      journal.state = .ready
    }
    try work.write(journal)
  }

  /// Gives a large value's file the store's rights, unless another store shares the file and has set its rights.
  private func setRights(ofValue file: URL, _ rights: FileRights) throws {
    var status = stat()
    guard lstat(file.path, &status) == 0 else { throw POSIXError(number: errno) }
    guard status.st_nlink == 1, try FileRights(of: file) != rights else { return }
    try files.setRights(of: file, to: rights)
  }

  /// Merges a store's log into its file, and turns WAL mode on or off for later connections.
  ///
  /// - Parameter isLasting: True if each step must be on disk before the next one.
  private func setJournalMode(_ store: URL, withLog: Bool, isLasting: Bool) throws {
    let database = try Database(path: store.path, mode: .readWrite, options: .atOnce)
    if !isLasting { try database.execute("PRAGMA synchronous = OFF") }
    if withLog { try database.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
    try database.execute("PRAGMA journal_mode = \(withLog ? "WAL" : "DELETE")")
    try database.close()
    guard try (files.size(of: store.appendingToName("-wal")) ?? 0) == 0 else {
      throw MigrationError.inUse(store, process: nil)
    }
  }

  /// Reports the progress of the chain. All hops have the same weight, because the work in later hops is not known yet.
  func record(_ number: Int, _ step: IncrementalMigrationProgress.Step, fraction: Float) {
    guard number <= plan.hops.count else { return }
    let event = IncrementalMigrationProgress(
      hop: number, hopCount: count, title: plan.hops[number - 1].title, step: step,
      fraction: (Float(number - 1) + fraction) / Float(count))
    session.monitor.report(event)
  }

  private func refuseCancelled(_ number: Int) throws {
    if let reason = session.monitor.reason { throw cancelled(number, reason) }
  }

  private func cancelled(_ number: Int, _ reason: any Error) -> MigrationError {
    let hop = number <= plan.hops.count ? " in hop \(plan.hops[number - 1].title)" : ""
    return MigrationError(
      .cancelled, problem: "the migration of store '\(session.store.path)' was cancelled\(hop)",
      remedy: again(number), underlying: reason)
  }

  /// Returns the error for a migration that was cancelled after all its hops were done.
  func cancelledAtEnd(_ reason: any Error) -> MigrationError { cancelled(count + 1, reason) }

  private func again(_ number: Int) -> String {
    let done = session.isKept && !session.startsOver ? number - 1 : 0
    return done == 0
      ? "nothing was changed" : "nothing was changed; \(done) of \(count) hops can be skipped in the next run"
  }

  private func failure(_ hop: MigrationHop, _ number: Int, _ error: any Error) -> MigrationError {
    if let reason = session.monitor.cancellation.reason(for: error) { return cancelled(number, reason) }
    // A hop's own manager may be the first to notice that the task is cancelled.
    if let error = error as? HopError, error.code == .cancelled {
      return cancelled(number, error.underlying ?? error)
    }
    var error = error
    if let stage = hop.stage, stage.kind == .custom {
      error = HopError.wrapping(error, .migration, .init(stage: stage.title))
      // The handlers may be at fault, so they must run again, perhaps after they have been corrected.
      if case .stage(_, .contraction) = hop.origin, !error.isOfDiskOrCancellation { session.startsOver = true }
    }
    // The remedy says that nothing was changed, which may end the hop's own error, too.
    let end = "; nothing was changed"
    let place = (error as? HopError).flatMap { hop.place(of: $0.place) }.map { "\($0): " } ?? ""
    let text = "\(place)\(error)"
    let reason = text.hasSuffix(end) ? String(text.dropLast(end.count)) : text
    return MigrationError(
      .hop, problem: "hop \(hop.title) of store '\(session.store.path)' failed: \(reason)", remedy: again(number),
      underlying: error)
  }
}
