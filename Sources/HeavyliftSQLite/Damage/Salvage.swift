/// Copies everything readable from a damaged database into a new one, and reports the losses.
///
/// Tables are read by row ID, page by page, so that an unreadable page loses only its own rows. Indexes are rebuilt.
/// Row IDs that an index still lists but the table no longer has are losses, too.
///
/// ```swift
/// let new = try Database(path: "Salvaged.sqlite", mode: .create)
/// for loss in try Salvage(of: "Damaged.sqlite", into: new).run() { print(loss) }
/// ```
package final class Salvage {
  /// Data that could not be read.
  package enum Loss: Hashable, Sendable {
    /// No row in this range of row IDs could be read; there may have been fewer rows than row IDs.
    case rows(table: String, keys: ClosedRange<Int64>)
    /// A row with this row ID is out of order: the row ID itself is damaged, so it is unknown which row this was.
    case misplaced(table: String, key: Int64)
    /// A table without row IDs could be read only up to this number of rows.
    case rest(table: String, after: Int)
    /// A row of a table without row IDs, by its position in the table, that violates a constraint of the table.
    case unfit(table: String, position: Int)
    /// A row was read except for the value of one column, which is NULL in the new database.
    case value(table: String, key: Int64, column: String)
    /// An index, a view or a trigger that could not be rebuilt. No row is lost.
    case object(String, reason: String)
  }

  private let database: Database
  private let path: String
  private var losses: [Loss] = []

  /// Prepares the salvage of a file into an empty database.
  package init(of path: String, into database: Database) {
    self.path = path
    self.database = database
  }

  /// Copies all readable data and returns the losses.
  package func run() throws(SQLiteError) -> [Loss] {
    // A separate connection: a failed read can roll back the transaction of its connection.
    let damaged = try Database(path: path, mode: .readOnly)
    // The new file need not survive a crash: it is useless until it is complete.
    try database.execute("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF")
    try takeOverNumbers(from: damaged)
    let objects = try damaged.schemaObjects()
    for object in objects where object.type == .table && !object.name.hasPrefix("sqlite_") {
      if let sql = object.sql { try database.execute(sql) }
    }
    try database.begin()
    let withKeys = Set(try damaged.tablesWithKeys().map(\.name))
    for object in objects where object.isCopied {
      if withKeys.contains(object.name), let table = try TableSalvage(object.name, from: damaged, into: database) {
        losses += try table.run()
      } else {
        try copyInOrder(object.name, from: damaged)
      }
    }
    try takeOverSequences(from: damaged)
    try database.commit()
    for object in objects where object.type != .table {
      if let sql = object.sql { try remake(object, sql) }
    }
    try damaged.close()
    return losses
  }

  private func takeOverNumbers(from damaged: Database) throws(SQLiteError) {
    for name in ["user_version", "application_id"] {
      let value = try damaged.firstValue("PRAGMA \(name)")
      if case .integer(let number)? = value, number != 0 { try database.execute("PRAGMA \(name) = \(number)") }
    }
  }

  /// Copies a table without accessible row IDs, up to the first row that cannot be read.
  private func copyInOrder(_ name: String, from damaged: Database) throws(SQLiteError) {
    let columns = try damaged.columns(of: name).filter { !$0.isGenerated }.map(\.name.asSQLIdentifier)
    let list = columns.joined(separator: ", ")
    let insertion = try database.prepare(
      "INSERT INTO main.\(name.asSQLIdentifier) (\(list)) "
        + "VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))")
    let comparison = try database.prepare(
      "SELECT 1 FROM main.\(name.asSQLIdentifier) "
        + "WHERE \(columns.map { "\($0) IS ?" }.joined(separator: " AND "))")
    var copied = 0
    for attempt in 1...2 {
      do {
        var cursor = try damaged.prepare("SELECT \(list) FROM \(name.asSQLIdentifier)").query()
        var read = 0
        while try cursor.next() {
          read += 1
          guard read > copied else { continue }
          if try !insert(cursor.row, with: insertion, unlessFoundBy: comparison, columns.count) {
            losses.append(.unfit(table: name, position: read))
          }
          copied += 1
        }
        return
      } catch {
        guard error.isUnreadable else { throw error }
        if attempt == 2 { losses.append(.rest(table: name, after: copied)) }
      }
    }
  }

  /// Inserts a row, unless the table has it already: a damaged page can lead to one that was read before.
  ///
  /// - Returns: False if the row violates a constraint.
  private func insert(
    _ row: borrowing RowView, with insertion: Statement, unlessFoundBy comparison: Statement, _ count: Int
  ) throws(SQLiteError) -> Bool {
    for column in 0..<count { try insertion.bind(borrowed: row, column: column, at: column + 1) }
    defer { insertion.clearBindings() }
    do {
      try insertion.execute()
      return true
    } catch {
      guard error.isConstraintViolation else { throw error }
      for column in 0..<count { try comparison.bind(borrowed: row, column: column, at: column + 1) }
      defer { comparison.clearBindings() }
      var cursor = comparison.query()
      return try cursor.next()
    }
  }

  /// Takes over the highest row ID that each table with `AUTOINCREMENT` has ever had, as far as it can be read.
  private func takeOverSequences(from damaged: Database) throws(SQLiteError) {
    guard try database.tableExists("sqlite_sequence") else { return }
    var highest: [(String, Int64)] = []
    do {
      var cursor = try damaged.prepare("SELECT name, seq FROM sqlite_sequence").query()
      while try cursor.next() { highest.append((try cursor.row.text(at: 0) ?? "", cursor.row.integer(at: 1))) }
    } catch {
      // Without the number, row IDs of rows that are gone may be used again.
    }
    for (name, key) in highest {
      try database.run("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?", .integer(key), .text(name))
      try database.run(
        "INSERT INTO sqlite_sequence (name, seq) SELECT ?1, ?2 WHERE NOT EXISTS "
          + "(SELECT 1 FROM sqlite_sequence WHERE name = ?1)", .text(name), .integer(key))
    }
  }

  /// Creates an index, a view or a trigger again. This can fail: an index may need the app's own collation or function,
  /// and damage may have duplicated unique values.
  private func remake(_ object: SchemaObject, _ sql: String) throws(SQLiteError) {
    do {
      try database.execute(sql)
    } catch let error where error.isUnknownInSchema || error.isConstraintViolation {
      losses.append(.object(object.name, reason: error.message))
    }
  }
}

extension SchemaObject {
  /// True for a table whose rows are copied. A virtual table has no rows of its own.
  fileprivate var isCopied: Bool {
    type == .table && !name.hasPrefix("sqlite_") && sql?.uppercased().hasPrefix("CREATE VIRTUAL") == false
  }
}

extension Salvage.Loss: CustomStringConvertible {
  /// The lost data, such as `rows 36 to 300 of table 'ZTRACK'`.
  package var description: String {
    switch self {
    case .rows(let table, let keys) where keys.lowerBound == keys.upperBound:
      "row \(keys.lowerBound) of table '\(table)'"
    case .rows(let table, let keys) where keys.upperBound == .max:
      "rows \(keys.lowerBound) and above of table '\(table)'"
    case .rows(let table, let keys): "rows \(keys.lowerBound) to \(keys.upperBound) of table '\(table)'"
    case .misplaced(let table, let key):
      "a row of table '\(table)' whose row ID is damaged, and which now looks like row \(key)"
    case .unfit(let table, let position):
      "row \(position) of table '\(table)', in the order of its pages, which violates a constraint of the table"
    case .rest(let table, let count): "all rows of table '\(table)' after the first \(count)"
    case .object(let name, let reason): "'\(name)', which cannot be rebuilt: \(reason)"
    case .value(let table, let key, let column): "column '\(column)' of row \(key) of table '\(table)'"
    }
  }
}
