import CSQLite

/// A compiled statement: SQLite's side of a `Statement`, which may outlive it in the cache.
///
/// The pointer is nil once the database is closed. SQLite takes a nil statement for finished: it answers bindings and
/// steps with `SQLITE_MISUSE`, and columns with NULL. So the fast paths need not look, only the few calls that do crash.
@usableFromInline
final class StatementHandle {
  private(set) var pointer: OpaquePointer?
  let connection: Connection
  let sql: String
  /// Counts what starts the statement over, so that a cursor can tell that it was started over by somebody else.
  private(set) var generation = 0
  /// The number of columns while the statement stands on a row, otherwise 0: asked for once a row, not once a column.
  private(set) var rowWidth = 0

  init(_ pointer: OpaquePointer, sql: String, connection: Connection) {
    self.pointer = pointer
    self.sql = sql
    self.connection = connection
    connection.register(self)
  }

  deinit { finalize() }

  /// Lets go of the statement; also called when the connection closes before the statement dies.
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

  /// Back to the beginning, whoever is reading its rows.
  func startOver() {
    generation &+= 1
    if rowWidth > 0 { reset() }
  }

  private func reset() {
    rowWidth = 0
    // Its result is the last step's error once more, which has been reported.
    _ = sqlite3_reset(pointer)
  }

  /// The step's result as an error, before anything else touches the connection and its message.
  func failure(_ result: Int32) -> SQLiteError {
    pointer == nil ? connection.closedError(sql: sql) : connection.failure(result, sql: sql)
  }

  /// Moves on to the next row; at the end and after an error the statement is reset, which ends its locks at once.
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
