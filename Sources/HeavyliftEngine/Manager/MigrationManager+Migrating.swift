import Foundation
import HeavyliftMapping
import HeavyliftModel
import HeavyliftSQLite
import HeavyliftStore

extension MigrationManager {
  /// Runs a migration whose mappings have been checked: `body` migrates the open source and puts the new store in place.
  package func migrating(
    _ source: URL, acceptsMissingFiles: Bool,
    _ body: (StoreFile, PersistentStore, ChangeDetector) throws -> MigrationReport
  ) throws -> MigrationReport {
    guard run == nil else {
      throw HopError(
        .migration, problem: "the migration manager is running another migration",
        remedy: "create a manager for each migration")
    }
    migrationProgress = 0
    defer { reporter.finish() }
    do {
      return try reading(source, acceptsMissingFiles: acceptsMissingFiles) { file, source, detector in
        let report = try body(file, source, detector)
        migrationProgress = 1
        reportProgress()
        return report
      }
    } catch {
      if (error as? HopError)?.code != .cancelled, let reason = cancellation.reason(for: error) {
        throw MigrationCancellation.error(reason)
      }
      throw error
    }
  }

  /// Migrates an open store into a new one.
  ///
  /// - Parameters:
  ///   - destination: The path for the new store; the folder for its large values is next to it.
  ///   - associations: The path for a file that is needed only during the migration.
  ///   - checksSource: True to look for damage in a source whose file the new store would start as a copy of.
  ///   - record: Called when all objects exist.
  package func migrate(
    _ source: PersistentStore, _ file: StoreFile, _ detector: ChangeDetector, to destination: URL, associations: URL,
    _ mappings: [CompleteMappingModel], _ options: MigrationOptions, checksSource: Bool,
    recording record: (MigrationRun) throws -> Void
  ) throws -> MigrationReport {
    do {
      var unknown = try UnknownContents(of: source, file, options.unknownTables)
      let prepared = try prepare(source, detector, mappings, options)
      planHandler?(prepared.plan)
      unknown = try unknown.prepared(for: prepared.stores)
      if prepared.plan.startsFromCopy, checksSource { try requireIntact(source) }
      return try migrate(source, unknown, detector, to: destination, associations: associations, prepared, record)
    } catch {
      throw HopError.wrapping(error, .migration, .init())
    }
  }

  /// Carries out a plan.
  private func migrate(
    _ source: PersistentStore, _ unknown: UnknownContents, _ detector: ChangeDetector, to url: URL, associations: URL,
    _ prepared: PreparedMigration, _ record: (MigrationRun) throws -> Void
  ) throws -> MigrationReport {
    let plan = prepared.plan
    let destination = try makeDestination(url, prepared)
    var isOpen = true
    defer { if isOpen { try? destination.close() } }
    let attachment = try plan.needsAttachment ? SourceAttachment(source, to: destination, detector) : nil
    let run = try MigrationRun(
      manager: self, source: source, destination: destination, prepared: prepared, associationsURL: associations)
    self.run = run
    defer {
      // After an error, another thread may still be creating an index with the connection that these use.
      withExtendedLifetime((run, attachment)) { destination.waitForThreads() }
      run.associations.close()
      self.run = nil
      currentEntityMapping = nil
    }
    try run.perform()
    // From here on, a few long-running statements do the work, without polling for cancellation at each object.
    let interrupter = destination.interrupter
    return try cancellation.interrupting(by: { interrupter.interrupt() }) {
      // The source's connection is free while another thread creates indexes with the destination's.
      destination.beginIndexing()
      let reconciliation = try run.linkReconciliation()
      let links = try reconciliation.read()
      let misnumbered = try source.misnumberedRows().diagnostic
      try destination.makeDeferredIndexes()
      try attachment?.detach()
      let derived = try DerivedValues.fill(run.destinationContext, destinationModel)
      let leftBehind = try unknown.carryOver(to: destination)
      try faultHook?(destination)
      try StoreValidation(
        destination, checksLinks: run.mayHaveDanglingLinks, deletions: run.deletionsAgainstRules(),
        explain: run.notingOldViolations
      ).perform()
      var report = MigrationReport()
      report.mappings = run.steps.map { step in
        MigrationReport.Mapping(
          step.complete, sources: step.sourceCount, declared: step.declaredCount, keyOffset: step.keyRule?.offset)
      }
      report.sourceObjects = prepared.survey.counts
      report.objects = try destination.objectCounts()
      try run.reconcile(&report, reconciliation, links)
      let missing = try source.missingFileNotes()
      let dangling = (report.links.danglingLinks + prepared.survey.danglingBackLinks).diagnostic(.warning)
      let contradictory = prepared.survey.contradictoryLinks.diagnostic(
        areKept: prepared.keepsContradictoryLinks)
      report.notes =
        unknown.notes + leftBehind + derived + missing
        + [dangling, contradictory, misnumbered].compactMap(\.self)
        + run.policiesWithoutObjects(report) + (try run.lateObjects()).sorted { $0.key < $1.key }.map(\.value)
      try record(run)
      try destination.finishBulkLoad()
      isOpen = false
      return report
    }
  }

  /// Throws if a store is damaged, because a copy of its file would be damaged, too.
  private func requireIntact(_ source: PersistentStore) throws {
    let findings = try source.reporting { try source.database.damage() }
    guard !findings.isEmpty else { return }
    throw HopError(
      .sourceStore, problem: "store '\(source.url.path)' is damaged: \(findings.joined(separator: "; "))",
      remedy: "restore it from a backup, or migrate what can be read, with IncrementalMigrationOptions.acceptsDamage")
  }

  private func makeDestination(_ url: URL, _ prepared: PreparedMigration) throws -> PersistentStore {
    let (plan, source) = (prepared.plan, prepared.stores.sourceStore)
    let reservedKeys = prepared.stores.keys.reservedKeys
    do {
      let creation = try creationOptions(like: source, prepared.options)
      let destination =
        plan.keptTables.isEmpty
        ? try PersistentStore.beginBulkLoad(
          at: url, model: destinationModel, options: creation, reservedKeys: reservedKeys)
        : try source.beginBulkLoad(
          at: url, keeping: plan.keptTables, model: destinationModel, options: creation,
          reservedKeys: reservedKeys, hasOnlyStatements: plan.isStatementsAlone
        ) { if let reason = cancellation.reason { throw reason } }
      destination.interrupt { [cancellation] in cancellation.isCancelled }
      return destination
    } catch {
      throw HopError.wrapping(error, .destinationStore, .init())
    }
  }

  /// Returns the options for creating the destination, some of which come from the source.
  func creationOptions(
    like source: PersistentStore, _ options: MigrationOptions
  ) throws -> PersistentStore.CreationOptions {
    var creation = PersistentStore.CreationOptions()
    // Object URIs contain the store identifier, and applications save URIs.
    creation.identifier = source.metadata.identifier
    creation.applicationValues = source.metadata.applicationValues.merging(options.applicationValues) { $1 }
    creation.configuration = try configuration(like: source, options)
    creation.joinTableChoices = joinTableChoices(of: source)
    creation.rights = try FileRights(of: source.url)
    // SQLite reads both stores through one connection, which has one encoding.
    if case .text(let encoding)? = try source.reporting({ try source.database.firstValue("PRAGMA encoding") }),
      encoding != "UTF-8"
    {
      creation.textEncoding = encoding
    }
    return creation
  }
}

extension Error {
  /// True if the disk failed or the migration was cancelled, so that neither data nor code is at fault.
  package var isOfDiskOrCancellation: Bool {
    switch self as any Error {
    case let error as HopError: error.code == .cancelled || error.underlying?.isOfDiskOrCancellation ?? false
    case let error as Diagnostic: diskCodes.contains(error.code)
    case let error as SQLiteError:
      error.isFull || error.isInputOutput || error.isInterrupt || error.isCantOpen || error.isReadOnly
        || error.isCorrupt || error.underlyingError?.isOfDiskOrCancellation ?? false
    case is POSIXError, is CocoaError, is CancellationError: true
    default: false
    }
  }
}

private let diskCodes: Set = [
  "store.disk-full", "store.disk-failure", "store.read-only", "store.corrupt", "store.truncated", "store.locked",
]
