import HeavyliftModel
import HeavyliftSQLite
import HeavyliftStore
import HeavyliftEngine

/// Carries out one hop in the store itself, as part of a transaction.
struct InPlaceHopRun {
  /// The writer of the store.
  enum Writer {
    /// The user's program. The rows that change are checked for damage first.
    case program
    /// The hop before. Its store was checked when it was written; the hop must keep all objects and their keys, and report
    /// what it would report if it wrote a new store.
    case hopBefore
  }

  let hop: MigrationHop
  let execution: MappingHopExecution
  var writer = Writer.program
  var defersCleanup = false
  let cancellation: MigrationCancellation
  /// Called before each statement.
  let willRun: () throws -> Void

  /// Returns the steps of a hop without carrying it out.
  func plan(_ file: StoreFile) throws -> [InPlaceStep] {
    let store = try open(file)
    let manager = try execution.manager(for: hop, cancellation: cancellation)
    _ = try unknownContents(of: store, file)
    var planner = try InPlacePlanner(store, hop, manager, execution.options, defersCleanup: defersCleanup)
    let planned = try planner.make()
    try store.refuseRows(blocking: planned.change)
    return (planned.change.statements + planned.change.finishing).map { InPlaceStep($0) }
      + derivingSteps(planned.blueprint.layout)
  }

  /// Carries out the hop.
  ///
  /// - Parameter file: The store in its current state, on a connection with a transaction.
  func run(_ file: StoreFile) throws -> IncrementalMigrationReport.Hop {
    let start = ContinuousClock.now
    let store = try open(file)
    let manager = try execution.manager(for: hop, cancellation: cancellation)
    let unknown = try unknownContents(of: store, file)
    var planner = try InPlacePlanner(store, hop, manager, execution.options, defersCleanup: defersCleanup)
    let planned = try planner.make()
    let change = planned.change
    switch writer {
    case .program:
      let findings = try store.damage(blocking: change)
      guard findings.isEmpty else { throw DamagedTables(findings: findings) }
    case .hopBefore: try change.requireAllObjectsStay()
    }
    try store.refuseRows(blocking: change)
    let configuration = try manager.configuration(like: store, execution.options)
    let account = try InPlaceAccount(planner.stores, planner.keys, change)
    var report = try report(planner, planned, account, store)
    let counts = try store.perform(
      change, model: hop.destinationModel, layout: planned.blueprint.layout, configuration: configuration,
      applicationValues: execution.options.applicationValues, willRun: willRun)
    let new = try PersistentStore(
      file: StoreFile(reopening: file), model: hop.destinationModel, configuration: configuration)
    try validate(new, planned)
    try account.check(new)
    try new.finish(change, willRun: willRun)
    report.notes = notes(unknown, change) + recordsLeftBehind(change, counts) + (try derive(new, change))
    if writer == .hopBefore { report.objects = try new.objectCounts() }
    var done = IncrementalMigrationReport.Hop(
      title: hop.title, origin: hop.origin, report: report, seconds: start.duration(to: .now) / .seconds(1))
    done.inPlaceSteps =
      zip(change.statements, counts).map { InPlaceStep($0, rows: $1) } + change.finishing.map { InPlaceStep($0) }
      + derivingSteps(planned.blueprint.layout)
    return done
  }

  /// Returns the account of what the store contains before the change.
  private func report(
    _ planner: InPlacePlanner, _ planned: InPlacePlanner.Hop, _ account: InPlaceAccount, _ store: PersistentStore
  ) throws -> MigrationReport {
    var report = MigrationReport()
    report.losses = planned.losses
    switch writer {
    case .program:
      report.rows = planned.change.removedObjects.sorted { $0.key < $1.key }.map { name, count in
        var rows = MigrationReport.Rows(entityName: name, count: count)
        rows.removed = count
        return rows
      }
      report.links = account.lostLinks
    case .hopBefore:
      report.sourceObjects = try store.objectCounts()
      report.mappings = planner.stores.mappings.map { mapping in
        let count = mapping.sourceEntityName.flatMap { report.sourceObjects[$0] } ?? 0
        let isMigrated = mapping.destinationEntityName != nil
        return MigrationReport.Mapping(
          mapping, sources: count, declared: isMigrated ? count : 0,
          keyOffset: mapping.sourceEntityName != nil && isMigrated ? 0 : nil)
      }
      report.rows = report.sourceObjects.filter { $0.value > 0 }.sorted { $0.key < $1.key }.map { name, count in
        var rows = MigrationReport.Rows(entityName: name, count: count)
        rows.migrated = count
        return rows
      }
      report.links = try LinkReconciliation(planner.stores, keys: [:]).linksOfKeptObjects()
    }
    return report
  }

  private func open(_ file: StoreFile) throws -> PersistentStore {
    let fit = try file.requireVersion(hop.sourceModel)
    return try PersistentStore(file: file, model: hop.sourceModel, configuration: fit.configuration)
  }

  /// Refuses the contents that a copying migration refuses.
  private func unknownContents(of store: PersistentStore, _ file: StoreFile) throws -> UnknownContents {
    let treatment = execution.options.unknownTables
    let unknown = try UnknownContents(of: store, file, treatment)
    guard treatment != .leaveBehind || unknown.isEmpty else {
      throw InPlaceRefusal(["tables and columns that do not belong to the model are left behind only by a copy"])
    }
    return unknown
  }

  private func validate(_ new: PersistentStore, _ planned: InPlacePlanner.Hop) throws {
    let created = planned.change.finishing.filter { $0.effect == .createsIndex }.compactMap(\.part)
    try StoreValidation(new, scope: .init(properties: planned.checked, uniqueIndexes: Set(created))).perform()
  }

  /// Computes derived attributes, as a copy does: another program may have left values that are out of date. A time of
  /// saving stays as it is, even if it is nil.
  private func derive(_ new: PersistentStore, _ change: InPlaceChange) throws -> [Diagnostic] {
    let changesRows = change.statements.contains { $0.effect.changesRows && $0.effect != .renumbersRows }
    // The hop before has computed the values.
    guard writer == .program || changesRows else { return [] }
    return try DerivedValues.fill(
      ManagedObjectContext(store: new), hop.destinationModel, setsTimes: false, includesCounts: writer == .program)
  }

  /// The steps that compute derived attributes, sorted by table and column.
  private func derivingSteps(_ layout: PhysicalLayout) -> [InPlaceStep] {
    guard writer == .program else { return [] }
    let columns = layout.entities.flatMap { entity in
      entity.attributes.filter(\.isDerived).map { [entity.tableName, $0.column] }
    }
    return Set(columns).sorted { $0.lexicographicallyPrecedes($1) }.map {
      InPlaceStep(.derivesColumn, table: $0[0], part: $0[1])
    }
  }

  private func recordsLeftBehind(_ change: InPlaceChange, _ counts: [Int?]) -> [Diagnostic] {
    zip(change.statements, counts).compactMap { statement, count in
      guard statement.effect == .removesRows, MirroringTable.isMirroring(statement.table), let count, count > 0 else {
        return nil
      }
      return .recordsLeftBehind(count, in: statement.table)
    }
  }

  private func notes(_ unknown: UnknownContents, _ change: InPlaceChange) -> [Diagnostic] {
    // Unlike a copy, the store keeps its history, and empty tables and columns that belong to no property.
    let kept: Set<String> = ["migration.column-left-behind", "migration.table-left-behind"]
    let notes = unknown.notes.filter { note in
      !kept.contains(note.code) && (note.code != "migration.history-dropped" || !change.keepsNumbers)
    }
    return notes
      + change.lostIndexes.map { name in
        Diagnostic(
          .warning, code: "migration.index-left-behind",
          problem: "index '\(name)' is dropped with a column that it contains",
          remedy: "create it again for the new version's tables if it is needed")
      }
  }
}

/// Damage in the tables that a hop would read or write.
struct DamagedTables: Error {
  var findings: [String]
}

extension InPlaceChange {
  /// Throws if objects or links are removed, or move to another table.
  fileprivate func requireAllObjectsStay() throws {
    let effects: Set<InPlaceEffect> = [.movesRows, .fillsLinks, .removesLinks, .removesRows]
    // Only links that change their direction need a check.
    guard removedObjects.isEmpty, checks.isEmpty, !statements.contains(where: { effects.contains($0.effect) }) else {
      throw InPlaceRefusal(["it removes or moves objects or links"])
    }
  }
}
