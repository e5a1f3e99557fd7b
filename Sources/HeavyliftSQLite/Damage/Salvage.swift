/// Copies everything readable from a damaged database into a new one, and reports the losses.
///
/// Tables are read by row ID, page by page, so that an unreadable page loses only its own rows. Indexes are rebuilt.
/// Row IDs that an index still lists but the table no longer has are losses, too.
///
/// ```swift
/// let new = try Database(path: "Salvaged.sqlite", mode: .create)
/// for loss in try Salvage(of: "Damaged.sqlite", into: new).run() { print(loss) }
/// ```
public final class Salvage {
  /// Data that could not be read.
  public enum Loss: Hashable, Sendable {
    /// No row in this range of row IDs could be read; there may have been fewer rows than row IDs.
    case rows(table: String, keys: ClosedRange<Int64>)
    /// A row was read except for the value of one column, which is NULL in the new database.
    case value(table: String, key: Int64, column: String)
    /// An index, a view or a trigger that could not be rebuilt. No row is lost.
    case object(String, reason: String)
  }

  private let database: Database
  private let path: String
  private var losses: [Loss] = []

  /// Prepares the salvage of a file into an empty database.
  public init(of path: String, into database: Database) {
    self.path = path
    self.database = database
  }

  /// Copies all readable data and returns the losses.
  public func run() throws(SQLiteError) -> [Loss] {
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
    for table in try damaged.tablesWithKeys() {
      try TableSalvage(table.name, from: damaged, into: database).run(&losses)
    }
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

extension Salvage.Loss: CustomStringConvertible {
  /// The lost data, such as `rows 36 to 300 of table 'ZTRACK'`.
  public var description: String {
    switch self {
    case .rows(let table, let keys) where keys.count == 1: "row \(keys.lowerBound) of table '\(table)'"
    case .rows(let table, let keys) where keys.upperBound == .max:
      "rows \(keys.lowerBound) and above of table '\(table)'"
    case .rows(let table, let keys): "rows \(keys.lowerBound) to \(keys.upperBound) of table '\(table)'"
    case .object(let name, let reason): "'\(name)', which cannot be rebuilt: \(reason)"
    case .value(let table, let key, let column): "column '\(column)' of row \(key) of table '\(table)'"
    }
  }
}
