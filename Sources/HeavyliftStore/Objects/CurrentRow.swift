import HeavyliftModel
import HeavyliftSQLite

/// The row on which a query stands, for objects that are asked for a few values and let go of before the next row.
///
/// What nobody asks for is never decoded. An object that somebody keeps is read as a whole before the query moves on.
package final class CurrentRow {
  let statement: Statement
  private let reader: RowReader

  init(_ statement: Statement, _ reader: RowReader) {
    self.statement = statement
    self.reader = reader
  }

  func read() throws -> StoredRow { try reader.read(statement.row) }

  /// Whether one column holds the attribute's value, and always does.
  func holds(_ slot: Int) -> Bool { reader.holds(slot) }

  /// The value of an attribute that a column holds.
  func value(at slot: Int) throws -> Value { try reader.value(statement.row, at: slot) }
}
