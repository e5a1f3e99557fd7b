import Heavylift

/// `heavylift plan STORE`: shows what `migrate` would do, and what would stop it.
public struct PlanCommand: Command {
  public static let description = CommandDescription(
    name: "plan", abstract: "Show how a store would be migrated, and what would stop it",
    discussion: """
      Shows the hops from the store's version to the requested one. For each entity mapping, shows how it creates \
      objects and relationships (with an SQL statement, with one that calls functions, or object by object) and why; \
      how keys are assigned; how many rows are expected; and how much disk space is needed temporarily. The store is \
      opened read-only.

      Later hops have no store yet: their row counts are estimated from the previous hop, and anything that depends on \
      the data is decided when the hop runs.

      With --in-place, shows the changes that each hop makes in the store itself, or why a hop needs a new store.

      Exits with 0, or with 2 if something would stop the migration: a missing mapping or one with mistakes, a store \
      in use, a full disk.
      """,
    arguments: MigrationInput.arguments, options: MigrationInput.options,
    examples: [.init("plan Library.sqlite -m Library.xcdatamodeld --mappings Mappings", "Shows the plan.")])

  public var input: MigrationInput
  public var writesJSON: Bool

  /// Creates the command.
  public init(_ input: MigrationInput, writesJSON: Bool = false) {
    self.input = input
    self.writesJSON = writesJSON
  }

  public init(_ arguments: ParsedArguments) throws(UsageError) {
    self.init(
      try MigrationInput(arguments, command: Self.description.name), writesJSON: arguments.has("json"))
  }

  public func run(_ io: CommandIO) throws -> ExitCode {
    let project = try MigrationProject(input, io)
    let plan: IncrementalMigrationPlan
    do {
      plan = try project.plan()
    } catch let list as DiagnosticList {
      try FindingList(list.diagnostics, about: input.mappings ?? "the mappings").writeErrors(
        to: io, asJSON: writesJSON)
      return .negative
    } catch let error as IncrementalMigrationError where error.isOfPath {
      try ErrorReport(error).write(to: io, toolName: "heavylift", asJSON: writesJSON)
      return .negative
    }
    let findings = try project.findings(plan, warnsOfDamage: true)
    if findings.has(.error) {
      try findings.writeErrors(to: io, asJSON: writesJSON)
      return .negative
    }
    let obstacles = project.manager.obstacles(to: plan, into: project.destination, options: project.options)
    if let report = InPlacePlanReport(
      input: input, plan: plan, warnings: findings.diagnostics, obstacles: obstacles,
      foundModel: project.foundModel)
    {
      writesJSON ? try io.write(report.json.indented) : try io.write(lines: report.lines(TextStyle(io)))
      return obstacles.isEmpty ? .success : .negative
    }
    let hops = try plan.hops.enumerated().map { index, hop in
      var execution = project.execution
      // Fused hops write every row once.
      if plan.isFused(hop: index) { execution.options.startsFresh = true }
      return try execution.plan(from: index == 0 ? project.store : nil, hop: hop, configuration: plan.configuration)
    }
    let report = PlanReport(
      input: input, plan: plan, hops: hops, warnings: findings.diagnostics, obstacles: obstacles,
      foundModel: project.foundModel)
    if writesJSON {
      try io.write(report.json.indented)
    } else {
      try io.write(lines: report.lines(TextStyle(io)))
    }
    return obstacles.isEmpty ? .success : .negative
  }
}

extension IncrementalMigrationError {
  /// True if no usable path of hops leads from the store's version to the requested one.
  fileprivate var isOfPath: Bool {
    switch kind {
    case .unknownVersion, .newerVersion, .noPath, .circle, .severalPaths: true
    default: false
    }
  }
}
