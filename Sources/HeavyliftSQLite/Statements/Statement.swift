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
public final class Statement {
  let handle: StatementHandle
  /// The current row, while `step()` last said that there is one.
  public let row: RowView
  private let cache: StatementCache?

  /// With a cache, the compiled statement goes there when this object goes.
  init(_ handle: StatementHandle, cache: StatementCache? = nil) {
    self.handle = handle
    self.cache = cache
    row = RowView(handle)
  }

  deinit { cache?.giveBack(handle) }

  /// The text from which it was compiled.
  public var sql: String { handle.sql }

  /// Whether running it leaves the database file as it is.
  public var isReadOnly: Bool { sqlite3_stmt_readonly(handle.pointer) != 0 }

  /// The number of columns of its rows, 0 for a statement without rows.
  public var columnCount: Int { Int(sqlite3_column_count(handle.pointer)) }

  /// A column's name: what follows `AS`, otherwise mostly the name of the table's column.
  public func columnName(_ column: Int) -> String {
    precondition(handle.pointer == nil || 0..<columnCount ~= column, "column \(column) of \(columnCount)")
    return handle.columnName(column) ?? ""
  }

  /// All columns' names.
  public var columnNames: [String] { (0..<columnCount).map(columnName) }

  /// The number of the highest parameter.
  public var parameterCount: Int { Int(sqlite3_bind_parameter_count(handle.pointer)) }

  /// The number of a named parameter, with its sign (`:name`), if there is one.
  public func parameterIndex(_ name: String) -> Int? {
    let index = sqlite3_bind_parameter_index(handle.pointer, name)
    return index == 0 ? nil : Int(index)
  }

  /// Moves on to the next row, and says whether there is one. At the end and after an error the statement is reset, so
  /// that one more step runs it again.
  public func step() throws(SQLiteError) -> Bool { try handle.step() }

  /// Runs it to the end, passing over any rows, and resets it. What was bound stays bound.
  public func execute() throws(SQLiteError) {
    handle.startOver()
    while try handle.step() {}
  }

  /// Starts it from its beginning, for reading its rows.
  public func query() -> RowCursor { RowCursor(self) }

  /// Back to the beginning; ends the locks that an unfinished run holds. What was bound stays bound.
  public func reset() { handle.startOver() }

  func misuse(_ message: String) -> SQLiteError {
    SQLiteError(code: .misuse, message: message, sql: sql, path: handle.connection.path, origin: .misuse)
  }
}
