import CSQLite

/// A compiled SQLite statement, which may outlive its `Statement` in the cache.
///
/// The pointer is nil once the database is closed. SQLite treats a nil statement as finalized: bindings and steps
/// return `SQLITE_MISUSE`, and columns return NULL. So only the few calls that would crash need a check.
@usableFromInline
final class StatementHandle {
  private(set) var pointer: OpaquePointer?
  let connection: Connection
  let sql: String
  /// Incremented at each restart, so that a cursor can detect that another caller restarted the statement.
  private(set) var generation = 0
  /// The number of columns of the current row, or 0 if there is none: looked up once per row, not once per column.
  private(set) var rowWidth = 0

  init(_ pointer: OpaquePointer, sql: String, connection: Connection) {
    self.pointer = pointer
    self.sql = sql
    self.connection = connection
    connection.register(self)
  }

  deinit { finalize() }

  /// Finalizes the statement; also called when the connection closes first.
  func finalize() {
    guard let pointer else { return }
    sqlite3_finalize(pointer)
    connection.unregister(self)
    self.pointer = nil
    rowWidth = 0
  }

  func clearBindings() {
    if let pointer { sqlite3_clear_bindings(pointer) }
  }

  func columnName(_ column: Int) -> String? {
    guard let pointer else { return nil }
    return sqlite3_column_name(pointer, Int32(truncatingIfNeeded: column)).map { String(cString: $0) }
  }

  /// Restarts the statement, even if a caller is still reading its rows.
  func startOver() {
    generation &+= 1
    if rowWidth > 0 { reset() }
  }

  private func reset() {
    rowWidth = 0
    // The result repeats the last step's error, which was already reported.
    _ = sqlite3_reset(pointer)
  }

  /// Returns the step's error; must be called before anything else changes the connection's error message.
  func failure(_ result: Int32) -> SQLiteError {
    pointer == nil ? connection.closedError(sql: sql) : connection.failure(result, sql: sql)
  }

  /// Moves to the next row. At the end and after an error, the statement is reset, which releases its locks at once.
  func step() throws(SQLiteError) -> Bool {
    let result = sqlite3_step(pointer)
    if result == SQLITE_ROW {
      rowWidth = Int(sqlite3_data_count(pointer))
      return true
    }
    if result == SQLITE_DONE {
      reset()
      return false
    }
    let error = failure(result)
    reset()
    throw error
  }
}
