import CSQLite
import Foundation

/// One compiled SQL statement, with its parameters.
///
/// ```swift
/// let insert = try database.prepare("INSERT INTO ZBOOK (Z_PK, ZTITLE) VALUES (?, ?)")
/// for book in books {
///   try insert.bind(book.key, at: 1)
///   try insert.bind(text: book.title, at: 2)
///   try insert.execute()
/// }
/// ```
///
/// Parameters count from 1, columns from 0, as in SQLite. Like its database, a statement belongs to one thread at a time.
package final class Statement {
  let handle: StatementHandle
  /// The current row, valid while the last `step()` returned true.
  package let row: RowView
  private let cache: StatementCache?

  /// With a cache, the compiled statement returns to it when this object is deallocated.
  init(_ handle: StatementHandle, cache: StatementCache? = nil) {
    self.handle = handle
    self.cache = cache
    row = RowView(handle)
  }

  deinit { cache?.giveBack(handle) }

  /// The SQL of the statement.
  package var sql: String { handle.sql }

  /// A Boolean value that indicates whether running the statement leaves the database file unchanged.
  package var isReadOnly: Bool { sqlite3_stmt_readonly(handle.pointer) != 0 }

  /// The number of columns in the statement's rows; 0 for a statement without rows.
  package var columnCount: Int { Int(sqlite3_column_count(handle.pointer)) }

  /// Returns a column's name: the `AS` alias, or usually the name of the table's column.
  package func columnName(_ column: Int) -> String {
    precondition(handle.pointer == nil || 0..<columnCount ~= column, "column \(column) of \(columnCount)")
    return handle.columnName(column) ?? ""
  }

  /// The names of all columns.
  package var columnNames: [String] { (0..<columnCount).map(columnName) }

  /// The number of the highest parameter.
  package var parameterCount: Int { Int(sqlite3_bind_parameter_count(handle.pointer)) }

  /// Returns the number of a named parameter, or nil if there is none; the name includes its prefix (`:name`).
  package func parameterIndex(_ name: String) -> Int? {
    let index = sqlite3_bind_parameter_index(handle.pointer, name)
    return index == 0 ? nil : Int(index)
  }

  /// Moves to the next row. Returns false if there is none. At the end and after an error, the statement is reset, so
  /// that another step runs it again.
  package func step() throws(SQLiteError) -> Bool { try handle.step() }

  /// Runs the statement to its end, ignoring any rows, and resets it. Bindings are kept.
  package func execute() throws(SQLiteError) {
    handle.startOver()
    while try handle.step() {}
  }

  /// Starts the statement from the beginning and returns a cursor over its rows.
  package func query() -> RowCursor { RowCursor(self) }

  /// Resets the statement and releases the locks of an unfinished run. Bindings are kept.
  package func reset() { handle.startOver() }

  func misuse(_ message: String) -> SQLiteError {
    SQLiteError(code: .misuse, message: message, sql: sql, path: handle.connection.path, origin: .misuse)
  }
}
