import CSQLite
import Foundation

/// A statement's current row, read in SQLite's own memory.
///
/// A view cannot be copied or stored: the row is gone as soon as its statement moves on. Functions take a view as
/// `borrowing RowView`.
///
/// ```swift
/// var cursor = try database.cached("SELECT Z_PK, ZTITLE FROM ZBOOK").query()
/// while try cursor.next() {
///   let key = cursor.row.integer(at: 0)
///   let title = try cursor.row.text(at: 1)
/// }
/// ```
///
/// Column indexes start at 0. Once the database is closed, every column reads as NULL, and the next step throws an
/// error.
package struct RowView: ~Copyable {
  @usableFromInline let handle: StatementHandle

  init(_ handle: StatementHandle) { self.handle = handle }

  /// The number of columns; 0 if there is no current row.
  package var columnCount: Int { handle.rowWidth }

  /// Returns the value's storage class.
  package func type(at column: Int) -> SQLiteType { view(at: column).type }

  /// Returns true if the value is NULL.
  package func isNull(at column: Int) -> Bool { sqlite3_value_type(view(at: column).value) == SQLITE_NULL }

  /// Returns the value as an integer by SQLite's conversion rules: NULL and text that is not a number read as 0.
  ///
  /// If that could hide a mistake, check `type(at:)` or use `value(at:)`.
  package func integer(at column: Int) -> Int64 { sqlite3_value_int64(view(at: column).value) }

  /// Returns the value as a floating-point number by SQLite's conversion rules: NULL and text that is not a number
  /// read as 0.
  package func double(at column: Int) -> Double { sqlite3_value_double(view(at: column).value) }

  /// Returns the value as text, or nil for NULL. Numbers are converted to text, and the bytes of a blob are read as
  /// UTF-8.
  ///
  /// Throws an error whose `isInvalidText` is true if the bytes are not UTF-8: repairing them would change the stored
  /// data.
  package func text(at column: Int) throws(SQLiteError) -> String? {
    let view = view(at: column)
    if view.type == .null { return nil }
    guard let text = view.text else { throw invalidText(at: column) }
    return text
  }

  /// Returns the value's bytes, or nil for NULL.
  package func blob(at column: Int) -> Data? {
    let view = view(at: column)
    return view.type == .null ? nil : view.data
  }

  /// Returns a copy of the value as it is stored.
  package func value(at column: Int) throws(SQLiteError) -> SQLiteValue {
    guard let value = view(at: column).owned else { throw invalidText(at: column) }
    return value
  }

  /// Returns all values of the row.
  package func values() throws(SQLiteError) -> [SQLiteValue] {
    var values: [SQLiteValue] = []
    for column in 0..<columnCount { values.append(try value(at: column)) }
    return values
  }

  /// Calls `body` with the value as UTF-8, neither copied nor checked; empty for NULL.
  @inlinable
  package func withUnsafeText<R, E: Error>(
    at column: Int, _ body: (UnsafeBufferPointer<UInt8>) throws(E) -> R
  ) throws(E) -> R {
    try body(view(at: column).utf8)
  }

  /// Calls `body` with the value's bytes as stored, not copied; empty for NULL.
  @inlinable
  package func withUnsafeBytes<R, E: Error>(
    at column: Int, _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    try body(view(at: column).bytes)
  }

  /// Returns the value in SQLite's memory, so that reading several of its properties takes one lookup.
  @usableFromInline
  package func view(at column: Int) -> ValueView {
    let width = handle.rowWidth
    precondition(
      column >= 0 && column < width || handle.pointer == nil, "column \(column) of a row with \(width) columns")
    return ValueView(sqlite3_column_value(handle.pointer, Int32(truncatingIfNeeded: column)))
  }

  private func invalidText(at column: Int) -> SQLiteError {
    let name = handle.columnName(column) ?? String(column)
    return SQLiteError(
      code: .mismatch, message: "column '\(name)' holds text that is not valid UTF-8",
      sql: handle.sql, path: handle.connection.path, origin: .invalidText)
  }
}
