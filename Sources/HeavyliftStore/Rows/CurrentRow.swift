import HeavyliftModel
import HeavyliftSQLite

/// The row of an enumeration's current object, which most callers release before the next row.
///
/// Only the values that are accessed are decoded. An object that the caller keeps is read completely before the
/// enumeration continues.
package final class CurrentRow {
  /// The query's statement. In an enumeration with pages, a statement that reads a row again by its key.
  let statement: Statement
  private let reader: RowReader
  /// The row of the current page; nil if the row is the statement's current one.
  private(set) var page: PageRow?

  init(_ statement: Statement, _ reader: RowReader) {
    self.statement = statement
    self.reader = reader
  }

  /// Moves to a row of a page.
  func move(to row: PageRow) { page = row }

  func read() throws -> StoredRow {
    guard let page else { return try reader.read(statement.row) }
    guard page.page.isComplete(page.index) else { return try readingAgain(page) { try reader.read(statement.row) } }
    return try withExtendedLifetime(page) { try reader.read(page) }
  }

  /// Reads the complete row, and reports an invalid value with its location.
  func read(in context: ManagedObjectContext) throws -> StoredRow { try context.readingRows { try read() } }

  /// Returns true if one column always holds the attribute's value.
  func holds(_ slot: Int) -> Bool { reader.holds(slot) }

  /// Returns the value of an attribute that a column holds.
  func value(at slot: Int) throws -> Value {
    guard let page else { return try reader.value(statement.row, at: slot) }
    guard page.page.isComplete(page.index) else {
      return try readingAgain(page) { try reader.value(statement.row, at: slot) }
    }
    return try withExtendedLifetime(page) { try reader.value(page, at: slot) }
  }

  /// Decodes attributes into `values`; returns false if one has no column of its own, or if a value cannot be
  /// converted.
  func copy(_ moves: [AttributeMove], into values: inout [Value]) throws -> Bool {
    guard let page else { return try reader.copy(statement.row, moves, into: &values) }
    guard page.page.isComplete(page.index) else { return false }
    return try withExtendedLifetime(page) { try reader.copy(page, moves, into: &values) }
  }

  /// Reads a row again with the statement, because the page omits its large values.
  private func readingAgain<Result>(_ page: PageRow, _ body: () throws -> Result) throws -> Result {
    let key = page.cell(at: 0).integer
    reader.store.settle()
    statement.reset()
    try statement.bind(key, at: 1)
    defer { statement.reset() }
    guard try statement.step() else {
      throw StoreMistake.missingObject(entity: reader.entity.name, key: key).diagnostic(reader.store.url)
    }
    return try body()
  }
}
