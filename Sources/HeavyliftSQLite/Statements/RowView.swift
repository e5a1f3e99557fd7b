import CSQLite
import Foundation

/// The row on which a statement stands, looked at where SQLite keeps it.
///
/// It cannot be copied or stored: the row is gone as soon as its statement moves on. Functions take it as
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
/// Columns count from 0. Once the database is closed every column reads as NULL, and the next step says so.
public struct RowView: ~Copyable {
  @usableFromInline let handle: StatementHandle

  init(_ handle: StatementHandle) { self.handle = handle }

  /// The number of columns; 0 where there is no row.
  public var columnCount: Int { handle.rowWidth }

  /// How the value is stored.
  public func type(at column: Int) -> SQLiteType { view(at: column).type }

  /// Whether there is no value.
  public func isNull(at column: Int) -> Bool { sqlite3_value_type(view(at: column).value) == SQLITE_NULL }

  /// The value as an integer by SQLite's rules of conversion: NULL, and text that is no number, read as 0.
  ///
  /// Where that would hide a mistake, ask `type(at:)` or take `value(at:)`.
  public func integer(at column: Int) -> Int64 { sqlite3_value_int64(view(at: column).value) }

  /// The value as a floating-point number by SQLite's rules of conversion: NULL, and text that is no number, read as 0.
  public func double(at column: Int) -> Double { sqlite3_value_double(view(at: column).value) }

  /// The value as text, or nil for NULL. Numbers are written out, and the bytes of a blob taken as UTF-8.
  ///
  /// Throws an error that `isInvalidText` if the bytes are not UTF-8: repairing them would lose what is stored.
  public func text(at column: Int) throws(SQLiteError) -> String? {
    let view = view(at: column)
    if view.type == .null { return nil }
    guard let text = view.text else { throw invalidText(at: column) }
    return text
  }

  /// The value's bytes, or nil for NULL.
  public func blob(at column: Int) -> Data? {
    let view = view(at: column)
    return view.type == .null ? nil : view.data
  }

  /// The value as it is stored, as a copy.
  public func value(at column: Int) throws(SQLiteError) -> SQLiteValue {
    guard let value = view(at: column).owned else { throw invalidText(at: column) }
    return value
  }

  /// All values of the row.
  public func values() throws(SQLiteError) -> [SQLiteValue] {
    var values: [SQLiteValue] = []
    for column in 0..<columnCount { values.append(try value(at: column)) }
    return values
  }

  /// Calls `body` with the value as UTF-8, not copied and not checked; empty for NULL.
  @inlinable
  public func withUnsafeText<R, E: Error>(
    at column: Int, _ body: (UnsafeBufferPointer<UInt8>) throws(E) -> R
  ) throws(E) -> R {
    try body(view(at: column).utf8)
  }

  /// Calls `body` with the value's bytes as they are stored, not copied; empty for NULL.
  @inlinable
  public func withUnsafeBytes<R, E: Error>(
    at column: Int, _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    try body(view(at: column).bytes)
  }

  /// The value where SQLite keeps it: to ask it several things costs one look-up.
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
