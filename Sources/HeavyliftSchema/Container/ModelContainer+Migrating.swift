import Foundation
import Heavylift

extension ModelContainer {
  /// Opens a store of a version: migrates it first if it is of an older one, and creates it if it does not exist.
  ///
  /// ```swift
  /// let container = try ModelContainer(
  ///   for: MusicV3.self, migrationPlan: MusicPlan.self, at: url, monitor: MigrationMonitor { print($0.title, $0.fraction) })
  /// if let report = container.migrationReport { print(report) }
  /// ```
  ///
  /// The plan is checked in any case, so that its mistakes show on every start and not only with an old store. The
  /// migration is that of `IncrementalMigrationManager`: the store is replaced once, by a complete and checked new one, and
  /// an interrupted migration continues the next time.
  ///
  /// - Parameters:
  ///   - version: The version to open; usually the newest of the plan.
  ///   - plan: The versions and the stages between them.
  ///   - url: The store's file.
  ///   - mappings: Mapping files. One for a pair of versions takes precedence over the stage.
  ///   - options: The options of the migration, such as a backup, or to migrate in place.
  ///   - monitor: Observes the migration, and can cancel it.
  ///   - configure: Changes the manager before it is used: its policies, or the check of each hop.
  /// - Throws: `DiagnosticList` with all mistakes in the plan; `MigrationError` if the store is of a newer or
  ///   an unknown version, or if the migration fails.
  public convenience init(
    for version: any VersionedSchema.Type, migrationPlan plan: any SchemaMigrationPlan.Type, at url: URL,
    mappings: MappingSearch = MappingSearch([]), options: IncrementalMigrationOptions = IncrementalMigrationOptions(),
    monitor: MigrationMonitor = MigrationMonitor(), configure: (inout IncrementalMigrationManager) -> Void = { _ in }
  ) throws {
    let history = try SchemaHistory(plan)
    guard let schema = history.schema(of: version) else {
      throw PlanMistake.unlistedContainer(
        TypeName.scoped(version), plan: TypeName.scoped(plan), known: plan.schemas.map(TypeName.scoped)
      ).diagnostic
    }
    var manager = IncrementalMigrationManager(stages: history.stages, mappings: mappings)
    configure(&manager)
    try self.init(
      for: schema, manager, at: url, options: options, monitor: monitor,
      newVersion: "add it to '\(TypeName.scoped(plan)).schemas'")
  }

  /// Opens a store of a schema: migrates it first if it is of an older version, and creates it if it does not exist.
  ///
  /// - Parameters:
  ///   - schema: The newest version.
  ///   - migrations: The migrations that lead to it, newest first.
  ///   - url: The store's file.
  ///   - options: The options of a migration, such as a backup.
  ///   - monitor: Observes the migration, and can cancel it.
  ///   - configure: Changes the manager of a migration before it is used.
  /// - Throws: `DiagnosticList` with all mistakes in the migrations; `MigrationError` if the store is of a newer
  ///   or an unknown version, or if the migration fails.
  public convenience init(
    for schema: Schema, migrations: [SchemaMigration], at url: URL,
    options: IncrementalMigrationOptions = IncrementalMigrationOptions(),
    monitor: MigrationMonitor = MigrationMonitor(), configure: (inout IncrementalMigrationManager) -> Void = { _ in }
  ) throws {
    let history = try SchemaHistory(schema: schema, migrations: migrations)
    var manager = IncrementalMigrationManager(stages: history.stages)
    configure(&manager)
    try self.init(
      for: schema, manager, at: url, options: options, monitor: monitor, newVersion: "add a 'SchemaMigration' from it")
  }

  /// - Parameter newVersion: The remedy for a version that is missing, in the words of its plan.
  private convenience init(
    for schema: Schema, _ manager: IncrementalMigrationManager, at url: URL, options: IncrementalMigrationOptions,
    monitor: MigrationMonitor, newVersion: String
  ) throws {
    let exists = FileManager.default.fileExists(atPath: url.path)
    let report = exists ? try Self.migrate(url, to: schema, manager, options, monitor, newVersion: newVersion) : nil
    try self.init(schema, url, isReadOnly: false, migrationReport: report?.hops.isEmpty == true ? nil : report)
  }

  private static func migrate(
    _ url: URL, to schema: Schema, _ manager: IncrementalMigrationManager, _ options: IncrementalMigrationOptions,
    _ monitor: MigrationMonitor, newVersion: String
  ) throws(MigrationError) -> IncrementalMigrationReport {
    do {
      return try manager.migrate(url, to: schema.model, options: options, monitor: monitor)
    } catch {
      guard error.kind == .unknownVersion else { throw error }
      var told = error
      told.remedy =
        "if an older version of the program wrote the store, \(newVersion); if a newer one did, use that; nothing was "
        + "changed"
      throw told
    }
  }
}
