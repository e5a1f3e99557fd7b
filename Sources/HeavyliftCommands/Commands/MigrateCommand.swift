import Foundation
import Heavylift
import HeavyliftConcurrency

/// `heavylift migrate STORE`: migrates a store to another version of its model.
package struct MigrateCommand: Command {
  package static let description = CommandDescription(
    name: "migrate", abstract: "Migrate a store to another version of its model",
    discussion: """
      Finds the store's version and the mapping files that lead from it to the requested version, checks them, and \
      runs them in order. The store is not changed until the new one is complete, checked and on disk; the new store \
      then replaces it in one step. If anything goes wrong before that (a mistake, a full disk, Control-C, a power \
      cut), the old store remains, and the next run continues with the first unfinished hop.

      Without options, 'migrate' looks for models next to the mappings or the store, and for mappings next to the \
      models. Policies and functions that mapping files name are Swift code: they are available in a tool of your \
      own that registers them.

      With --dry-run, does everything but the last step, reports what would change, and leaves nothing behind. If \
      a mapping splits or merges entities, or a policy may do so, it also records what each object becomes, and \
      writes the store of every hop for that. If there is no space for them, it matches objects by entity and key.

      With --in-place, the hops change the store itself in one transaction of SQLite, which needs no space for another \
      store. This is possible if all mappings are inferred. As with a new store, the result is the complete old store or \
      the complete new one, even after a power cut. A dry run makes the same changes in a copy of the store.

      With --verify, checks each hop as 'verify' does, while its stores still exist. Differences that no policy explains \
      stop the migration, and the old store remains. Mapping files are then not composed.

      With --provenance, writes a file together with the new store. For each object of the old version, it lists \
      the resulting objects of the new one and the entity mappings of the hops in between. If the migration does not \
      produce a new store, this file is not kept. The database has a table 'provenance' with the columns mapping, \
      source and destination.

      Exits with 0 if the store has the requested version, with 2 if a mapping has mistakes, and with 1 if the store \
      cannot be migrated. In the last two cases, the store is unchanged.
      """,
    arguments: MigrationInput.arguments,
    options: MigrationInput.options + [
      .init(flag: "dry-run", help: "Do everything but the last step, and report what would change."),
      .init(
        "samples", value: "NUMBER", help: "With --dry-run, show this many changed objects of each entity, with values."),
      .init(flag: "verify", help: "Recompute every value after each hop, before the new store replaces the old one."),
      .init(flag: "quiet", shortName: "q", help: "Show no progress; if the migration succeeds, show only warnings."),
    ],
    examples: [
      .init(
        "migrate Library.sqlite --backup Before.sqlite", "Migrates with the models and mappings next to the store."),
      .init(
        "migrate Library.sqlite -m Library.xcdatamodeld --mappings Mappings --dry-run --samples 3",
        "Shows what would change."),
      .init("migrate Library.sqlite --to New.sqlite", "Creates a new store, and leaves the old one unchanged."),
      .init(
        "migrate Library.sqlite --provenance Origins.jsonl", "Lists what became of each object, one object per line."),
    ])

  package var input: MigrationInput
  package var isDryRun: Bool
  /// The number of changed objects of each entity that a dry run shows with their values.
  package var sampleCount: Int
  package var isQuiet: Bool
  /// True to verify each hop.
  package var verifies: Bool
  package var writesJSON: Bool

  /// Creates the command.
  package init(
    _ input: MigrationInput, isDryRun: Bool = false, sampleCount: Int = 0, isQuiet: Bool = false,
    verifies: Bool = false, writesJSON: Bool = false
  ) {
    self.input = input
    self.isDryRun = isDryRun
    self.sampleCount = sampleCount
    self.isQuiet = isQuiet
    self.verifies = verifies
    self.writesJSON = writesJSON
  }

  package init(_ arguments: ParsedArguments) throws(UsageError) {
    let samples = arguments.value(ofOption: "samples")
    guard let count = Int(samples ?? "0"), (0...1_000).contains(count) else {
      throw UsageError(
        "bad-number", problem: "'--samples \((samples ?? "").shown)' is not a number from 0 to 1000",
        remedy: "write a number, such as '--samples 3'", commandName: Self.description.name)
    }
    guard samples == nil || arguments.has("dry-run") else {
      throw UsageError(
        "useless-option", problem: "option '--samples' of 'migrate' requires '--dry-run'",
        remedy: "use both or neither", commandName: Self.description.name)
    }
    self.init(
      try MigrationInput(arguments, command: Self.description.name), isDryRun: arguments.has("dry-run"),
      sampleCount: count, isQuiet: arguments.has("quiet"), verifies: arguments.has("verify"),
      writesJSON: arguments.has("json"))
  }

  package func run(_ io: CommandIO) throws -> ExitCode {
    let project = try MigrationProject(input, readsAllVersions: false, io)
    if !isDryRun, input.destination == nil, try project.manager.rollBackUnfinishedWrite(to: project.store),
      !writesJSON, !isQuiet
    {
      try io.writeError(
        lines: ["\(input.store.shown): an unfinished transaction was rolled back, as SQLite does"])
    }
    let planned = try project.plan()
    let plan: IncrementalMigrationPlan
    do {
      plan = try planned.get()
    } catch let list as DiagnosticList {
      return try refuse(FindingList(list.diagnostics, about: input.mappings ?? "the mappings"), io)
    }
    let findings = try project.findings(plan)
    if findings.has(.error) { return try refuse(findings, io) }
    if !writesJSON, !findings.diagnostics.isEmpty { try findings.writeErrors(to: io, asJSON: false) }
    return try migrate(project, plan, findings, io)
  }

  private func refuse(_ findings: FindingList, _ io: CommandIO) throws -> ExitCode {
    try findings.writeErrors(to: io, asJSON: writesJSON)
    if !writesJSON { try io.writeError(lines: ["the store was not changed"]) }
    return .negative
  }

  private func migrate(
    _ project: MigrationProject, _ plan: IncrementalMigrationPlan, _ findings: FindingList, _ io: CommandIO
  ) throws -> ExitCode {
    let display = ProgressDisplay(io, mode: isQuiet || writesJSON ? .none : io.drawsProgress ? .bar : .lines)
    let cancellation = MigrationCancellation()
    let ended = Locked<ExitCode?>(nil)
    let monitor = MigrationMonitor(cancellation) { event in
      if cancellation.isCancelled { return }
      display.show(event)
    }
    var outcome = MigrationOutcome(input: input, plan: plan, warnings: findings.diagnostics, isDryRun: isDryRun)
    do {
      try io.interruptions.watching { code in
        ended.withLock { $0 = $0 ?? code }
        cancellation.cancel()
      } _: {
        outcome.seconds = try ContinuousClock().measure { try carryOut(project, &outcome, monitor, io) } / .seconds(1)
      }
    } catch let error as MigrationError where error.kind == .cancelled {
      display.finish()
      guard let code = ended.withLock({ $0 }) else { throw error }
      try ErrorReport(error).write(to: io, toolName: "heavylift", asJSON: writesJSON)
      return code
    } catch {
      display.finish()
      throw error
    }
    display.finish()
    do {
      try write(outcome, io)
    } catch let error as POSIXError where !isDryRun && error.code != .EPIPE {
      throw Diagnostic(
        .error, code: "migration.report",
        problem: "store '\(outcome.report.store.path)' has the new version, but its report cannot be written: "
          + String(cString: strerror(error.code.rawValue)).lowercased(),
        remedy: "no action is needed: the migration succeeded")
    }
    return .success
  }

  private func write(_ outcome: MigrationOutcome, _ io: CommandIO) throws {
    if writesJSON {
      try io.write(outcome.json.indented)
    } else if !isQuiet || isDryRun {
      try io.write(lines: outcome.lines(TextStyle(io)))
    } else {
      let warnings = (outcome.report.earlierHops + outcome.report.hops).flatMap {
        ($0.report ?? $0.earlierReport)?.notes ?? []
      }.filter { $0.severity == .warning }
      if !warnings.isEmpty { try FindingList(warnings, about: input.store).writeErrors(to: io, asJSON: false) }
    }
  }

  private func carryOut(
    _ project: MigrationProject, _ outcome: inout MigrationOutcome, _ monitor: MigrationMonitor, _ io: CommandIO
  ) throws {
    var manager = project.manager
    let verification = HopVerification(
      io.code, monitor.cancellation, acceptsDamage: project.options.acceptsDamage,
      options: manager.hopOptions, width: writesJSON ? nil : io.errorWidth)
    if verifies { manager.hopHandler = verification.verify }
    defer { if verifies { outcome.verified = verification.reports } }
    guard isDryRun else {
      outcome.report =
        try project.destination.map {
          try manager.migrate(project.store, into: $0, to: project.target, options: project.options, monitor: monitor)
        } ?? manager.migrate(project.store, to: project.target, options: project.options, monitor: monitor)
      return
    }
    let lineage = DataLineage(of: outcome.plan)
    (outcome.report, outcome.difference) = try rehearse(
      manager, project, recordsProvenance: !lineage.keepsKeys, monitor)
    // A policy may have given objects that seem to be dropped another entity or key.
    if lineage.keepsKeys, lineage.hasCode, outcome.difference?.hasLosses == true {
      (outcome.report, outcome.difference) = try rehearse(manager, project, recordsProvenance: true, monitor)
    }
    outcome.obstacles = manager.obstacles(to: outcome.plan, into: project.destination, options: project.options)
  }
  private func rehearse(
    _ manager: IncrementalMigrationManager, _ project: MigrationProject, recordsProvenance: Bool,
    _ monitor: MigrationMonitor
  ) throws -> (IncrementalMigrationReport, StoreDifference?) {
    try manager.rehearse(
      project.store, into: project.destination, to: project.target, options: project.options,
      recordsProvenance: recordsProvenance, monitor: monitor
    ) { rehearsal in
      guard !rehearsal.plan.isCurrent else { return (rehearsal.report, nil) }
      let old = try PersistentStore(url: rehearsal.store, models: [rehearsal.plan.version], mode: .readOnly)
      defer { try? old.close() }
      let new = try PersistentStore(url: rehearsal.newStore, models: [rehearsal.plan.destinationModel], mode: .readOnly)
      defer { try? new.close() }
      var options = StoreDifference.Options()
      options.includesValues = sampleCount > 0
      options.includesLoneValues = sampleCount > 0
      options.exampleLimit = sampleCount
      let renames = MigrationRenames(rehearsal.plan)
      (options.renamedEntities, options.renamedProperties) = (renames.entities, renames.properties)
      let cancellation = monitor.cancellation
      for store in [old, new] { store.interrupt { cancellation.isCancelled } }
      do {
        let moves = try rehearsal.provenance.map { try MigrationProvenance(contentsOf: $0).moves() }
        return (rehearsal.report, try StoreDifference(from: old, to: new, options: options, moves: moves))
      } catch {
        guard cancellation.isCancelled else { throw error }
        throw MigrationError(
          .cancelled, problem: "the dry run of store '\(project.store.path)' was cancelled",
          remedy: "nothing was changed", underlying: error)
      }
    }
  }
}

extension StoreDifference {
  /// True if some objects of the first store seem to have no successor.
  fileprivate var hasLosses: Bool {
    entities.contains { $0.removed > 0 } || onlyInFirst.contains { $0.count > 0 }
  }
}
