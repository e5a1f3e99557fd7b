import Heavylift

/// `heavylift plan STORE`: shows what `migrate` would do, and what would stop it.
package struct PlanCommand: Command {
  package static let description = CommandDescription(
    name: "plan", abstract: "Show how a store would be migrated, and what would stop it",
    discussion: """
      Shows the hops from the store's version to the requested one. For each entity mapping, shows how it creates \
      objects and relationships (with an SQL statement, with one that calls functions, or object by object) and why; \
      how keys are assigned; how many rows are expected; and how much disk space is needed temporarily. The store is \
      opened read-only.

      Later hops have no store yet: their row counts are estimated from the previous hop, and anything that depends on \
      the data is decided when the hop runs. What they lose is counted where it is in the store now.

      With --check-data, evaluates the expressions of the first hop for every object, and checks the values that \
      attributes would get. Prints the values for which an expression fails or that break a rule of the new model, \
      which are your users' data. Calls the functions that the mapping names. Relationships and uniqueness, mappings \
      with a policy, and later hops are checked when they run; to check them in advance, use 'migrate --dry-run'.

      With --in-place, shows the changes that each hop makes in the store itself, or why a hop needs a new store.

      Exits with 0, or with 2 if something would stop the migration: a missing mapping or one with mistakes, a store \
      in use, a full disk, or a value that --check-data has found.
      """,
    arguments: MigrationInput.arguments,
    options: MigrationInput.options + [
      .init(
        flag: "check-data",
        help: "Evaluate the first hop's expressions for every object, and print the values that would stop the "
          + "migration.")
    ],
    examples: [
      .init("plan Library.sqlite -m Library.xcdatamodeld --mappings Mappings", "Shows the plan."),
      .init("plan Library.sqlite --check-data", "Also finds the values that cannot be converted."),
    ])

  package var input: MigrationInput
  /// True to evaluate the first hop's expressions for every object.
  package var checksData: Bool
  package var writesJSON: Bool

  /// Creates the command.
  package init(_ input: MigrationInput, checksData: Bool = false, writesJSON: Bool = false) {
    self.input = input
    self.checksData = checksData
    self.writesJSON = writesJSON
  }

  package init(_ arguments: ParsedArguments) throws(UsageError) {
    self.init(
      try MigrationInput(arguments, command: Self.description.name), checksData: arguments.has("check-data"),
      writesJSON: arguments.has("json"))
  }

  package func run(_ io: CommandIO) throws -> ExitCode {
    let project = try MigrationProject(input, readsAllVersions: false, io)
    let planned = try project.plan()
    let plan: IncrementalMigrationPlan
    do {
      plan = try planned.get()
    } catch let list as DiagnosticList {
      try FindingList(list.diagnostics, about: input.mappings ?? "the mappings").writeErrors(
        to: io, asJSON: writesJSON)
      return .negative
    } catch let error as MigrationError where error.isOfPath {
      try ErrorReport(error).write(to: io, toolName: "heavylift", asJSON: writesJSON)
      return .negative
    }
    let findings = try project.findings(plan, warnsOfDamage: true)
    if findings.has(.error) {
      try findings.writeErrors(to: io, asJSON: writesJSON)
      return .negative
    }
    let obstacles = project.manager.obstacles(to: plan, into: project.destination, options: project.options)
    let isInPlace = plan.inPlace != nil
    let hops = try project.manager.hopPlans(
      from: project.store, hops: isInPlace ? checksData ? Array(plan.hops.prefix(1)) : [] : plan.hops,
      configuration: plan.configuration,
      checking: checksData ? isInPlace ? .changedValues : .allValues : nil)
    let dataCheck = hops.first?.dataCheck
    let isFree = obstacles.isEmpty && dataCheck?.findings.isEmpty ?? true
    if let report = InPlacePlanReport(
      input: input, plan: plan, warnings: findings.diagnostics, obstacles: obstacles,
      foundModel: project.foundModel, dataCheck: dataCheck)
    {
      writesJSON ? try io.write(report.json.indented) : try io.write(lines: report.lines(TextStyle(io)))
      return isFree ? .success : .negative
    }
    let report = PlanReport(
      input: input, plan: plan, hops: hops, warnings: findings.diagnostics, obstacles: obstacles,
      foundModel: project.foundModel)
    if writesJSON {
      try io.write(report.json.indented)
    } else {
      try io.write(lines: report.lines(TextStyle(io)))
    }
    return isFree ? .success : .negative
  }
}

extension MigrationError {
  /// True if no usable path of hops leads from the store's version to the requested one.
  fileprivate var isOfPath: Bool {
    switch kind {
    case .unknownVersion, .newerVersion, .noPath, .circle, .severalPaths: true
    default: false
    }
  }
}
