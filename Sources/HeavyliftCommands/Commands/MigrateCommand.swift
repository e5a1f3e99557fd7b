import Foundation
import Heavylift
import Synchronization

/// `heavylift migrate STORE`: brings a store to another version of its model.
public struct MigrateCommand: Command {
  public static let description = CommandDescription(
    name: "migrate", abstract: "Bring a store to another version of its model",
    discussion: """
      Finds out which version the store has, which mapping files lead from there to the version that is wanted, checks \
      them, and carries them out one after the other. The store is only read until a new one is complete, checked and on \
      disk, and takes its place in one step. Whatever happens before, a mistake, a full disk, Control-C or a power cut, \
      leaves the old store; a later run goes on with the hop that was not done.

      Models are looked for beside the mappings or the store, and mappings beside the models, where no option says where \
      they are. Policies and functions that mapping files name are Swift code: they are known in a tool of your own that \
      registers them.

      With --dry-run everything is done but the last step; what would change is told, and nothing is left behind. There, \
      objects of the same entity and key are the same object: one whose key or entity changes counts as removed and added.

      With --verify each hop is verified while its stores exist, as 'verify' does. Differences that no policy explains \
      end the migration, and the old store stays. Hops are not fused then.

      With --provenance a file appears with the new store that tells for each object of the old version which objects \
      of the new one came of it, and through which entity mappings of the hops. If no new store is put in its place, no \
      such file stays. As a database it has a table 'provenance' of mapping, source and destination.

      Exits with 0 if the store is of the wanted version, with 2 if a mapping has mistakes, and with 1 if it cannot be \
      migrated. In both the store is as it was.
      """,
    arguments: MigrationInput.arguments,
    options: MigrationInput.options + [
      .init(flag: "dry-run", help: "Do everything but the last step, and tell what would change."),
      .init(
        "samples", value: "NUMBER", help: "With --dry-run, show so many changed objects of each entity with values."),
      .init(flag: "verify", help: "Compute every value again after each hop, before the new store takes its place."),
      .init(flag: "quiet", shortName: "q", help: "Show no progress, and nothing but warnings if all goes well."),
    ],
    examples: [
      .init("migrate Library.sqlite --backup Before.sqlite", "Migrates with the models and mappings beside the store."),
      .init(
        "migrate Library.sqlite -m Library.xcdatamodeld --mappings Mappings --dry-run --samples 3",
        "Shows what would change."),
      .init("migrate Library.sqlite --to New.sqlite", "Makes a new store, and leaves the old one as it is."),
      .init(
        "migrate Library.sqlite --provenance Origins.jsonl", "Tells, a line an object, what became of what it was."),
    ])

  public var input: MigrationInput
  public var isDryRun: Bool
  /// How many changed objects of each entity a dry run shows with their values.
  public var sampleCount: Int
  public var isQuiet: Bool
  /// Whether each hop is verified.
  public var verifies: Bool
  public var writesJSON: Bool

  /// Creates the command.
  public init(
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

  public init(_ arguments: ParsedArguments) throws(UsageError) {
    let samples = arguments.value(ofOption: "samples")
    guard let count = Int(samples ?? "0"), (0...1_000).contains(count) else {
      throw UsageError(
        "bad-number", problem: "'--samples \((samples ?? "").shown)' is not a number from 0 to 1000",
        remedy: "write e.g. '--samples 3'", commandName: Self.description.name)
    }
    guard samples == nil || arguments.has("dry-run") else {
      throw UsageError(
        "useless-option", problem: "option '--samples' of 'migrate' is for '--dry-run'",
        remedy: "write both, or leave it out", commandName: Self.description.name)
    }
    self.init(
      try MigrationInput(arguments, command: Self.description.name), isDryRun: arguments.has("dry-run"),
      sampleCount: count, isQuiet: arguments.has("quiet"), verifies: arguments.has("verify"),
      writesJSON: arguments.has("json"))
  }

  public func run(_ io: CommandIO) throws -> ExitCode {
    let project = try MigrationProject(input, io)
    if !isDryRun, input.destination == nil, try project.manager.takeBackUnfinishedChange(of: project.store),
      !writesJSON, !isQuiet
    {
      try io.writeError(
        "\(input.store.shown): a change that a program did not finish was taken back, as SQLite does\n")
    }
    let plan: IncrementalMigrationPlan
    do {
      plan = try project.plan()
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
    if !writesJSON { try io.writeError("the store was not touched\n") }
    return .negative
  }

  private func migrate(
    _ project: MigrationProject, _ plan: IncrementalMigrationPlan, _ findings: FindingList, _ io: CommandIO
  ) throws -> ExitCode {
    let display = ProgressDisplay(io, mode: isQuiet || writesJSON ? .none : io.drawsProgress ? .bar : .lines)
    let manager = project.manager
    let cancellation = manager.cancellation
    let ended = Mutex<ExitCode?>(nil)
    manager.progressHandler = { event in
      if cancellation.isCancelled { return }
      display.show(event)
    }
    var outcome = MigrationOutcome(input: input, plan: plan, warnings: findings.diagnostics, isDryRun: isDryRun)
    do {
      try io.interruptions.watching { code in
        ended.withLock { $0 = $0 ?? code }
        cancellation.cancel()
      } _: {
        outcome.seconds = try ContinuousClock().measure { try carryOut(project, &outcome, io) } / .seconds(1)
      }
    } catch let error as IncrementalMigrationError where error.kind == .cancelled {
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
        problem: "store '\(outcome.report.store.path)' is of the new version, but its report cannot be written: "
          + String(cString: strerror(error.code.rawValue)).lowercased(),
        remedy: "nothing is left to do: the migration has ended well")
    }
    return .success
  }

  private func write(_ outcome: MigrationOutcome, _ io: CommandIO) throws {
    if writesJSON {
      try io.write(outcome.json.indented)
    } else if !isQuiet || isDryRun {
      try io.write(outcome.lines(TextStyle(io)).joined(separator: "\n") + "\n")
    } else {
      let warnings = outcome.report.hops.flatMap { $0.report?.notes ?? [] }.filter { $0.severity == .warning }
      if !warnings.isEmpty { try FindingList(warnings, about: input.store).writeErrors(to: io, asJSON: false) }
    }
  }

  private func carryOut(
    _ project: MigrationProject, _ outcome: inout MigrationOutcome, _ io: CommandIO
  ) throws {
    var manager = project.manager
    let verification = HopVerification(io.code, project.manager.cancellation)
    if verifies { manager.hopHandler = verification.verify }
    defer { if verifies { outcome.verified = verification.reports } }
    guard isDryRun else {
      outcome.report =
        try project.destination.map {
          try manager.migrate(project.store, into: $0, version: project.target, options: project.options)
        } ?? manager.migrate(project.store, to: project.target, options: project.options)
      return
    }
    (outcome.report, outcome.difference) = try manager.rehearse(
      project.store, into: project.destination, to: project.target, options: project.options
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
      let cancellation = manager.cancellation
      for store in [old, new] { store.interrupt { cancellation.isCancelled } }
      do {
        return (rehearsal.report, try StoreDifference(from: old, to: new, options: options))
      } catch {
        guard cancellation.isCancelled else { throw error }
        throw IncrementalMigrationError(
          .cancelled, problem: "the dry run of store '\(project.store.path)' was cancelled",
          remedy: "nothing was changed", underlying: error)
      }
    }
    outcome.obstacles = manager.obstacles(to: outcome.plan, into: project.destination, options: project.options)
  }
}
