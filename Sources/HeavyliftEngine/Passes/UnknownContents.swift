import HeavyliftModel
import HeavyliftSQLite
import HeavyliftStore

/// The contents of a source file other than the objects of its model: each item is carried over, named in an error, or
/// left behind with a note.
package struct UnknownContents {
  /// Diagnostics for contents that are left behind.
  package private(set) var notes: [Diagnostic] = []
  /// True if the file has no unknown contents.
  package var isEmpty: Bool { notes.isEmpty && tables.isEmpty && indexes.isEmpty }
  private let source: PersistentStore
  private var tables: [SchemaObject] = []
  /// The indexes and triggers of `tables`.
  private var attachments: [SchemaObject] = []
  /// The user's own indexes on Core Data's tables.
  private var indexes: [SchemaObject] = []
  private let primaryKeys: [PrimaryKeyRow]
  private var mirroredRecords: MirroredRecords?

  package init(of source: PersistentStore, _ file: StoreFile, _ treatment: MigrationOptions.UnknownTables) throws {
    self.source = source
    primaryKeys = file.primaryKeys
    let inspection = try StoreInspection(file, layout: source.layout, isCounting: false)
    noteHistory(inspection)
    let foreign = Dictionary(
      inspection.foreignEntities.map { ($0.tableName ?? "", $0.name) }, uniquingKeysWith: { first, _ in first })
    let names = inspection.unknownTables.map(\.name).filter { foreign[$0] == nil }
    notes += inspection.unknownTables.filter { $0.rows == 0 && foreign[$0.name] != nil }.map { table in
      Diagnostic(
        .note, code: "migration.table-left-behind",
        problem: "table '\(table.name)' is left behind: it is empty, and the model does not have its entity "
          + "'\(foreign[table.name] ?? "")'")
    }
    var others = inspection.unknownTables.filter { $0.rows > 0 }.compactMap { table in
      foreign[table.name].map { "table '\(table.name)' of entity '\($0)', \(table.rows.counted(as: "row"))" }
    }
    others += try usedColumns(inspection)
    others += inspection.views.map { "view '\($0)'" }
    others += strayTriggers(inspection, file, tables: names).map { "trigger '\($0)'" }
    others += try furtherMetadata()
    switch treatment {
    case .leaveBehind:
      others += inspection.unknownIndexes.map { "index '\($0)'" }
      notes += (names.map { "table '\($0)'" } + others).map {
        Diagnostic(.warning, code: "migration.left-behind", problem: "left behind, as requested: \($0)")
      }
    case .refuse:
      try refuse(names.map { "table '\($0)'" } + others + inspection.unknownIndexes.map { "index '\($0)'" })
    case .carryOver:
      indexes = file.schema.filter { $0.type == .index && inspection.unknownIndexes.contains($0.name) }
      tables = file.schema.filter { $0.type == .table && names.contains($0.name) }
      attachments = file.schema.filter {
        [.index, .trigger].contains($0.type) && names.contains($0.tableName) && $0.sql != nil
      }
      // A virtual table needs its module, and only the module may write to its shadow tables.
      let virtual = tables.filter { $0.sql?.uppercased().hasPrefix("CREATE VIRTUAL") ?? true }
      try refuse(virtual.map { "virtual table '\($0.name)'" } + others)
    }
  }

  /// Returns the contents for a migration whose mappings are known. Records of CloudKit mirroring will lead to the new
  /// objects.
  func prepared(for stores: MappedStores) throws -> UnknownContents {
    let names = Set(tables.map(\.name))
    let mirroring = try source.reporting {
      try MirroringTable.all(in: source.database).filter { names.contains($0.name) }
    }
    guard !mirroring.isEmpty else { return self }
    var prepared = self
    prepared.mirroredRecords = try MirroredRecords(in: mirroring, stores)
    return prepared
  }

  private func refuse(_ things: [String]) throws {
    guard !things.isEmpty else { return }
    throw HopError(
      .sourceStore,
      problem: "the store contains items that belong neither to Core Data nor to the store's model: "
        + things.joined(separator: ", "),
      remedy: "remove them first, or leave them behind: with '--leave-behind' in the tool, or with "
        + "MigrationOptions.unknownTables = .leaveBehind in code")
  }

  private mutating func noteHistory(_ inspection: StoreInspection) {
    let tables = inspection.historyTables.filter { $0.rows > 0 }
    guard !tables.isEmpty else { return }
    notes.append(
      Diagnostic(
        .note, code: "migration.history-dropped",
        problem: "persistent history is left behind: "
          + tables.map { "\($0.rows.counted(as: "row")) of '\($0.name)'" }.joined(separator: ", "),
        remedy: "programs that read it must start over, because it identifies entities by the old version's numbers"))
  }

  /// Returns the columns that belong to no property but have values, which would be lost. Adds a note for each such
  /// column that is empty.
  private mutating func usedColumns(_ inspection: StoreInspection) throws -> [String] {
    var used: [String] = []
    for column in inspection.unknownColumns {
      let count = try source.database.firstValue(
        "SELECT count(\(column.name.asSQLIdentifier)) FROM \(column.table.asSQLIdentifier)")
      if case .integer(let count)? = count, count > 0 {
        used.append("column '\(column.name)' of table '\(column.table)', \(Int(count).counted(as: "value"))")
      } else {
        notes.append(
          Diagnostic(
            .note, code: "migration.column-left-behind",
            problem: "column '\(column.name)' of table '\(column.table)' is empty, belongs to no property, and is "
              + "left behind"))
      }
    }
    return used
  }

  /// The rows in `Z_METADATA` other than Core Data's own.
  private func furtherMetadata() throws -> [String] {
    guard case .integer(let rows)? = try source.database.firstValue("SELECT count(*) FROM Z_METADATA"), rows > 1 else {
      return []
    }
    return ["\(Int(rows - 1).counted(as: "further row")) of table 'Z_METADATA'"]
  }

  /// The triggers that belong to none of the tables that are carried over.
  private func strayTriggers(
    _ inspection: StoreInspection, _ file: StoreFile, tables: [String]
  ) -> [String] {
    inspection.unknownTriggers.filter { name in
      !file.schema.contains { $0.type == .trigger && $0.name == name && tables.contains($0.tableName) }
    }
  }

  /// Copies all contents that are carried over. Returns a warning for each index and trigger that does not fit.
  func carryOver(to destination: PersistentStore) throws -> [Diagnostic] {
    try destination.reporting {
      for pragma in ["user_version", "application_id"] {
        guard case .integer(let value)? = try source.database.firstValue("PRAGMA \(pragma)"), value != 0 else {
          continue
        }
        try destination.database.execute("PRAGMA \(pragma) = \(value)")
      }
    }
    let leftBehind = try copyTables(to: destination)
    return try destination.reporting {
      try leftBehind
        + indexes.compactMap { index in
          guard let reason = try failure(making: index, in: destination.database) else { return nil }
          return Diagnostic(
            .warning, code: "migration.index-left-behind",
            problem: "index '\(index.name)' of table '\(index.tableName)' does not fit the new version and is left "
              + "behind: \(reason)",
            remedy: "create it again for the new version's tables if it is needed")
        }
    }
  }

  /// Creates an index. Returns SQLite's error message if the index's table or columns no longer exist.
  private func failure(making index: SchemaObject, in database: Database) throws -> String? {
    guard let sql = index.sql else { return nil }
    do {
      try database.transaction { try database.execute(sql) }
      return nil
    } catch let error as SQLiteError where error.code == .error || error.code == .constraint {
      return error.message
    }
  }

  /// Returns a warning for each trigger that does not fit.
  private func copyTables(to destination: PersistentStore) throws -> [Diagnostic] {
    guard !tables.isEmpty else { return [] }
    let present = Set(try destination.database.schemaObjects().map { $0.name.uppercased() })
    let clashing = tables.filter { present.contains($0.name.uppercased()) }
    guard clashing.isEmpty else {
      throw HopError(
        .destinationStore,
        problem: "tables that do not belong to the model have the same names as tables of the new version: "
          + clashing.map { "'\($0.name)'" }.joined(separator: ", "),
        remedy: "rename them first, or migrate with options.unknownTables = .leaveBehind")
    }
    return try destination.reporting {
      try destination.database.transaction {
        let lost = try tables.compactMap { try copy($0, to: destination.database) }
        for attachment in attachments { if let sql = attachment.sql { try destination.database.execute(sql) } }
        return try lost
          + attachments.filter { $0.type == .trigger }.compactMap {
            try warningLeavingBehind($0, in: destination.database)
          }
      }
    }
  }

  /// Drops a trigger that names tables or columns of the old version: with it, no statement could write to its table.
  private func warningLeavingBehind(_ trigger: SchemaObject, in database: Database) throws -> Diagnostic? {
    let table = trigger.tableName.asSQLIdentifier
    let column = try database.columns(of: trigger.tableName).first { !$0.isGenerated }?.name.asSQLIdentifier ?? ""
    let statements = [
      "INSERT INTO \(table) DEFAULT VALUES", "UPDATE \(table) SET \(column) = \(column)", "DELETE FROM \(table)",
    ]
    let problem = statements.lazy.compactMap { missingName(in: $0, database) }.first
    guard let problem else { return nil }
    try database.execute("DROP TRIGGER \(trigger.name.asSQLIdentifier)")
    return Diagnostic(
      .warning, code: "migration.trigger-left-behind",
      problem:
        "trigger '\(trigger.name)' of table '\(trigger.tableName)' does not fit the new version and is left behind: "
        + problem, remedy: "create it again for the new version's tables if it is needed")
  }

  /// The error message for a statement that names what only the source has.
  private func missingName(in statement: String, _ database: Database) -> String? {
    guard case .failure(let error) = Result(catching: { try database.prepare(statement) }),
      let error = error as? SQLiteError, error.isMissingName, (try? source.database.prepare(statement)) != nil
    else { return nil }
    return error.message
  }

  /// Copies a table. Returns a warning for records that would lead to no object.
  private func copy(_ table: SchemaObject, to database: Database) throws -> Diagnostic? {
    guard let sql = table.sql else { return nil }
    try database.execute(sql)
    try copyPrimaryKeys(ofRowsIn: table.name, to: database)
    let names = try source.database.columns(of: table.name).filter { !$0.isGenerated }.map(\.name)
    // Other tables may refer to row IDs that no column contains.
    let columns = names.map(\.asSQLIdentifier) + [try source.database.rowIDName(of: table.name)].compactMap(\.self)
    let list = columns.joined(separator: ", ")
    let insert = try database.prepare(
      """
      INSERT INTO \(table.name.asSQLIdentifier) (\(list)) VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
      """)
    var cursor = try source.database.prepare("SELECT \(list) FROM \(table.name.asSQLIdentifier)").query()
    let places = mirroredRecords?.places(in: table.name, among: names)
    var lost = 0
    while try cursor.next() {
      var values = try cursor.row.values()
      if let places, let mirroredRecords {
        let number = try mirroredRecords.entityNumber(values[places.entity], key: values[places.key], in: database)
        guard let number else {
          lost += 1
          continue
        }
        values[places.entity] = number
      }
      try insert.bind(values)
      try insert.execute()
    }
    try copySequence(of: table.name, to: database)
    return lost > 0 ? .recordsLeftBehind(lost, in: table.name) : nil
  }

  /// Copies the highest keys of Core Data's own entities for CloudKit mirroring, which are in no model.
  private func copyPrimaryKeys(ofRowsIn table: String, to database: Database) throws {
    for row in primaryKeys where MirroringTable.contains(rowsOf: row.name, table: table) {
      try database.run(
        "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, ?)", .integer(Int64(row.number)),
        .text(row.name), .integer(Int64(row.superNumber)), .integer(row.maximum))
    }
  }

  private func copySequence(of table: String, to database: Database) throws {
    guard try source.database.tableExists("sqlite_sequence"), try database.tableExists("sqlite_sequence"),
      let last = try source.database.firstValue("SELECT seq FROM sqlite_sequence WHERE name = ?", .text(table))
    else { return }
    try database.run("DELETE FROM sqlite_sequence WHERE name = ?", .text(table))
    try database.run("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", .text(table), last)
  }
}

/// The records of CloudKit mirroring, which identify objects by the numbers of their entities and by their keys.
struct MirroredRecords {
  private let source: PersistentStore
  private let columns: [String: MirroringTable.ObjectColumns]
  /// The entities whose objects keep their keys, before and after the migration, by the old number.
  private let entities: [Int64: (old: EntityLayout, new: EntityLayout)]

  /// - Throws: `HopError` if there are records of objects that get other keys, or whose new entity depends on the
  ///   object.
  init(in tables: [MirroringTable], _ stores: MappedStores) throws {
    source = stores.sourceStore
    columns = tables.reduce(into: [:]) { $0[$1.name] = $1.object }
    var entities: [Int64: (old: EntityLayout, new: EntityLayout)] = [:]
    var moving: [EntityLayout] = []
    for entity in stores.source.layout.entities {
      let places = stores.mappings.indices.filter { place in
        stores.mappings[place].sourceEntityName == entity.name && stores.mappings[place].destinationEntityName != nil
      }
      guard let place = places.first else { continue }
      let new = stores.destination.layout.entity(named: stores.mappings[place].destinationEntityName)
      guard places.count == 1, stores.keepsKeys(place), let new else {
        moving.append(entity)
        continue
      }
      entities[Int64(entity.number)] = (entity, new)
    }
    self.entities = entities
    for entity in moving { try refuse(entity) }
  }

  private func refuse(_ entity: EntityLayout) throws {
    for (table, columns) in columns.sorted(by: { $0.key < $1.key }) {
      let count = try source.reporting {
        try source.database.firstValue(
          "SELECT count(*) FROM \(table.asSQLIdentifier) WHERE \(columns.entity.asSQLIdentifier) = ?",
          .integer(Int64(entity.number)))
      }
      guard case .integer(let count)? = count, count > 0 else { continue }
      throw HopError(
        .sourceStore,
        problem: "the store is mirrored with CloudKit: table '\(table)' has "
          + "\(Int(count).counted(as: "record")) of \(entity.name) objects, which do not keep their entity and keys",
        remedy: "migrate the entity with one entity mapping that keeps keys, or leave CloudKit's tables behind with "
          + "--leave-behind; CloudKit then treats the store as new, and may create its objects a second time")
    }
  }

  /// Returns the places of the columns that identify an object among a table's columns; nil if there are none.
  func places(in table: String, among names: [String]) -> (entity: Int, key: Int)? {
    guard let columns = columns[table], let entity = names.firstIndex(of: columns.entity),
      let key = names.firstIndex(of: columns.key)
    else { return nil }
    return (entity, key)
  }

  /// Returns the new number of a record's entity; nil if its object was not migrated.
  ///
  /// Records of objects that the old store does not have either remain: CloudKit may not know of the deletion yet.
  func entityNumber(_ number: SQLiteValue, key: SQLiteValue, in destination: Database) throws -> SQLiteValue? {
    guard case .integer(let old) = number else { return number }
    guard let entity = entities[old] else { return nil }
    let isKept = try exists(key, entity.new, in: destination) || !exists(key, entity.old, in: source.database)
    return isKept ? .integer(Int64(entity.new.number)) : nil
  }

  private func exists(_ key: SQLiteValue, _ entity: EntityLayout, in database: Database) throws -> Bool {
    try database.firstValue(
      "SELECT 1 FROM \(entity.tableName.asSQLIdentifier) WHERE Z_PK = ? "
        + "AND \(entity.numberSQL()) = \(entity.number)", key) != nil
  }
}
