import HeavyliftModel
import HeavyliftSQLite
import HeavyliftStore

/// What a source's file holds besides the objects of its model: carried over, refused by name, or left behind and told.
struct UnknownContents {
  /// What is left behind.
  private(set) var notes: [Diagnostic] = []
  /// Whether there is nothing of the kind.
  var isEmpty: Bool { notes.isEmpty && tables.isEmpty }
  private let source: PersistentStore
  private var tables: [SchemaObject] = []
  /// Indexes and triggers of those tables.
  private var attachments: [SchemaObject] = []

  init(of source: PersistentStore, _ file: StoreFile, _ treatment: MigrationOptions.UnknownTables) throws {
    self.source = source
    let inspection = try StoreInspection(file, layout: source.layout, isCounting: false)
    noteHistory(inspection)
    noteColumns(inspection)
    let names = inspection.unknownTables.map(\.name)
    let others =
      inspection.views.map { "view '\($0)'" } + strayTriggers(inspection, file, tables: names).map { "trigger '\($0)'" }
    switch treatment {
    case .leaveBehind:
      notes += (names.map { "table '\($0)'" } + others).map {
        Diagnostic(.warning, code: "migration.left-behind", problem: "\($0) is left behind, as was asked for")
      }
    case .refuse: try refuse(names.map { "table '\($0)'" } + others)
    case .carryOver:
      tables = file.schema.filter { $0.type == .table && names.contains($0.name) }
      attachments = file.schema.filter {
        [.index, .trigger].contains($0.type) && names.contains($0.tableName) && $0.sql != nil
      }
      // A virtual table needs its module, and its tables are not to be written by anybody else.
      let virtual = tables.filter { $0.sql?.uppercased().hasPrefix("CREATE VIRTUAL") ?? true }
      try refuse(virtual.map { "virtual table '\($0.name)'" } + others)
    }
  }

  private func refuse(_ things: [String]) throws {
    guard !things.isEmpty else { return }
    throw MigrationError(
      .sourceStore,
      problem: "the source holds what is neither Core Data's nor of its model: \(things.joined(separator: ", "))",
      remedy: "remove it first, or migrate with options.unknownTables = .leaveBehind")
  }

  private mutating func noteHistory(_ inspection: StoreInspection) {
    let tables = inspection.historyTables.filter { $0.rows > 0 }
    guard !tables.isEmpty else { return }
    notes.append(
      Diagnostic(
        .note, code: "migration.history-dropped",
        problem: "persistent history is left behind: "
          + tables.map { "\($0.rows) rows of '\($0.name)'" }.joined(separator: ", "),
        remedy: "who reads it must start anew: it names entities by the numbers of the old version"))
  }

  private mutating func noteColumns(_ inspection: StoreInspection) {
    for column in inspection.unknownColumns {
      notes.append(
        Diagnostic(
          .note, code: "migration.column-left-behind",
          problem: "column '\(column.name)' of table '\(column.table)' is of no property and is left behind"))
    }
  }

  /// Triggers that belong to none of the tables that are carried over.
  private func strayTriggers(
    _ inspection: StoreInspection, _ file: StoreFile, tables: [String]
  ) -> [String] {
    inspection.unknownTriggers.filter { name in
      !file.schema.contains { $0.type == .trigger && $0.name == name && tables.contains($0.tableName) }
    }
  }

  /// Copies the tables with everything that belongs to them.
  func carryOver(to destination: PersistentStore) throws {
    guard !tables.isEmpty else { return }
    let present = Set(try destination.database.schemaObjects().map { $0.name.uppercased() })
    let clashing = tables.filter { present.contains($0.name.uppercased()) }
    guard clashing.isEmpty else {
      throw MigrationError(
        .destinationStore,
        problem: "the source's own tables have the names of the new version's: "
          + clashing.map { "'\($0.name)'" }.joined(separator: ", "),
        remedy: "rename them first, or migrate with options.unknownTables = .leaveBehind")
    }
    try destination.reporting {
      try destination.database.transaction {
        for table in tables { try copy(table, to: destination.database) }
        for attachment in attachments { if let sql = attachment.sql { try destination.database.execute(sql) } }
      }
    }
  }

  private func copy(_ table: SchemaObject, to database: Database) throws {
    guard let sql = table.sql else { return }
    try database.execute(sql)
    let columns = try source.database.columns(of: table.name).filter { !$0.isGenerated }
      .map(\.name.asSQLIdentifier)
    let list = columns.joined(separator: ", ")
    let insert = try database.prepare(
      "INSERT INTO \(table.name.asSQLIdentifier) (\(list)) VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))"
    )
    var cursor = try source.database.prepare("SELECT \(list) FROM \(table.name.asSQLIdentifier)").query()
    while try cursor.next() {
      try insert.bind(cursor.row.values())
      try insert.execute()
    }
    guard try source.database.tableExists("sqlite_sequence"), try database.tableExists("sqlite_sequence"),
      let last = try source.database.firstValue("SELECT seq FROM sqlite_sequence WHERE name = ?", .text(table.name))
    else { return }
    try database.run("DELETE FROM sqlite_sequence WHERE name = ?", .text(table.name))
    try database.run("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", .text(table.name), last)
  }
}
