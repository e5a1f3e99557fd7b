import HeavyliftModel
import HeavyliftSQLite

/// The row on which a query stands, for objects that are asked for a few values and let go of before the next row.
///
/// What nobody asks for is never decoded. An object that somebody keeps is read as a whole before the query moves on.
package class CurrentRow {
  let statement: Statement
  private let reader: RowReader

  init(_ statement: Statement, _ reader: RowReader) {
    self.statement = statement
    self.reader = reader
  }

  func read() throws -> StoredRow { try reader.read(statement.row) }

  /// The row as a whole, with what is wrong with it in words.
  func read(in context: ManagedObjectContext) throws -> StoredRow { try context.readingRows { try read() } }

  /// Whether one column holds the attribute's value, and always does.
  func holds(_ slot: Int) -> Bool { reader.holds(slot) }

  /// The value of an attribute that a column holds.
  func value(at slot: Int) throws -> Value { try reader.value(statement.row, at: slot) }

  /// Decodes values of attributes into places among others; false where one cannot be held there, or is no column.
  func copy(_ moves: [AttributeMove], into values: inout [Value]) throws -> Bool {
    try reader.copy(statement.row, moves, into: &values)
  }

  /// What a to-one relationship's column holds, whatever it is, as an integer; nil where there is no such column.
  func storedTargetKey(at slot: Int) -> Int64? { reader.storedTargetKey(statement.row, at: slot) }
}
