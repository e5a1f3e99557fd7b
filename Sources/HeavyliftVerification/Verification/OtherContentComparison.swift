import Heavylift
import HeavyliftModel
import HeavyliftSQLite
import HeavyliftStore

/// Compares what stores contain besides the objects of their models.
struct OtherContentComparison {
  private(set) var contents = OtherContents()
  private let source: PersistentStore
  private let destination: PersistentStore

  /// - Parameter options: The options of the migration: what it left behind or added on purpose is no difference.
  init(from source: PersistentStore, to destination: PersistentStore, _ options: MigrationOptions) throws {
    (self.source, self.destination) = (source, destination)
    try compareIdentity(options)
    try compareTables(options)
  }

  // MARK: Identity

  private mutating func compareIdentity(_ options: MigrationOptions) throws {
    let (old, new) = (source.metadata, destination.metadata)
    if old.identifier != new.identifier { contents.differences.append(.identifier) }
    let expected = old.applicationValues.merging(options.applicationValues) { $1 }
    for key in Set(expected.keys).union(new.applicationValues.keys).sorted()
    where expected[key] != new.applicationValues[key] {
      contents.differences.append(.metadata(key: key))
    }
    for name in ["user_version", "application_id"] {
      let (before, after) = (try number(name, source), try number(name, destination))
      if before != after { contents.differences.append(.number(name: name, expected: before, found: after)) }
    }
  }

  private func number(_ pragma: String, _ store: PersistentStore) throws -> Int64 {
    try store.reporting {
      guard case .integer(let value)? = try store.database.firstValue("PRAGMA \(pragma)") else { return 0 }
      return value
    }
  }

  // MARK: Tables

  private mutating func compareTables(_ options: MigrationOptions) throws {
    let (old, new) = (try tables(of: source), try tables(of: destination))
    for (name, sql) in old.sorted(by: { $0.key < $1.key }) {
      if options.unknownTables == .leaveBehind {
        contents.skippedTables[name] = "left behind, as requested"
      } else if MirroringTable.isMirroring(name) {
        contents.skippedTables[name] = "its records lead to the new objects"
      } else if let other = new[name] {
        if sql != other { contents.differences.append(.definition(table: name)) }
        try compareRows(of: name)
      } else {
        contents.differences.append(.missingTable(name))
      }
    }
    for name in new.keys.sorted() where old[name] == nil { contents.differences.append(.unexpectedTable(name)) }
  }

  /// The tables that are neither Core Data's nor of an entity, with their declarations.
  private func tables(of store: PersistentStore) throws -> [String: String] {
    let file = try StoreFile(url: store.url, mode: .readOnly)
    defer { try? file.close() }
    let inspection = try StoreInspection(file, layout: store.layout, isCounting: false)
    let ofEntities = Set(inspection.foreignEntities.compactMap(\.tableName))
    let names = Set(inspection.unknownTables.map(\.name)).subtracting(ofEntities)
    return Dictionary(
      file.schema.filter { $0.type == .table && names.contains($0.name) }.map { ($0.name, $0.sql ?? "") },
      uniquingKeysWith: { first, _ in first })
  }

  private mutating func compareRows(of table: String) throws {
    let columns = try source.reporting {
      try source.database.columns(of: table).filter { !$0.isGenerated }.map(\.name)
    }
    let others = try destination.reporting {
      try destination.database.columns(of: table).filter { !$0.isGenerated }.map(\.name)
    }
    // The difference is in the declaration.
    guard columns == others else { return }
    let rowID = try rowID(of: table, besides: columns)
    let names = columns.map(\.asSQLIdentifier)
    let order = rowID ?? names.joined(separator: ", ")
    let sql =
      "SELECT \(([rowID ?? "0"] + names).joined(separator: ", ")) FROM \(table.asSQLIdentifier) ORDER BY \(order)"
    var counts = (missing: 0, added: 0, changed: 0)
    var read = 0
    let old = try TableRows(sql, in: source)
    let new = try TableRows(sql, in: destination)
    while old.current != nil || new.current != nil {
      let (first, second) = (old.key, new.key)
      let isMissing = new.current == nil || (old.current != nil && first < second)
      let isAdded = old.current == nil || (new.current != nil && second < first)
      if isMissing {
        counts.missing += 1
      } else if isAdded {
        counts.added += 1
      } else if old.current != new.current {
        counts.changed += 1
      }
      if !isAdded {
        read += 1
        try old.advance()
      }
      if !isMissing { try new.advance() }
    }
    contents.rows[table] = read
    if counts != (0, 0, 0) {
      contents.differences.append(
        .rows(table: table, missing: counts.missing, added: counts.added, changed: counts.changed))
    }
    if try sequence(of: table, source) != sequence(of: table, destination) {
      contents.differences.append(.sequence(table: table))
    }
  }

  /// Returns the name of the row ID; `nil` if the table has none, or if columns hide it.
  private func rowID(of table: String, besides columns: [String]) throws -> String? {
    let taken = Set(columns.map { $0.uppercased() })
    guard let name = ["rowid", "_rowid_", "oid"].first(where: { !taken.contains($0.uppercased()) }) else { return nil }
    let statement = Result { () throws(SQLiteError) in
      try source.database.prepare("SELECT \(name) FROM \(table.asSQLIdentifier)")
    }
    // A table without row IDs has no such column.
    if case .failure(let error) = statement, error.isMissingName { return nil }
    return name
  }

  private func sequence(of table: String, _ store: PersistentStore) throws -> SQLiteValue? {
    try store.reporting {
      guard try store.database.tableExists("sqlite_sequence") else { return nil }
      return try store.database.firstValue("SELECT seq FROM sqlite_sequence WHERE name = ?", .text(table))
    }
  }
}

/// The rows of a table, read one by one; the first column is the key.
private final class TableRows {
  private let store: PersistentStore
  private var cursor: RowCursor
  /// The current row; `nil` after the last one.
  private(set) var current: [SQLiteValue]?

  init(_ sql: String, in store: PersistentStore) throws {
    self.store = store
    cursor = try store.reporting { try store.database.prepare(sql) }.query()
    try advance()
  }

  var key: Int64 {
    guard case .integer(let key)? = current?.first else { return 0 }
    return key
  }

  func advance() throws {
    do {
      let hasRow = try cursor.next()
      current = hasRow ? try cursor.row.values() : nil
    } catch {
      try store.reporting { throw error }
    }
  }
}
