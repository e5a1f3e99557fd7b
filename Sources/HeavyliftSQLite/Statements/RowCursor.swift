/// Iterates over the rows of a query.
///
/// A cursor cannot be copied: two would step the same statement, and each would miss the rows that the other took. The
/// statement is reset when the cursor is destroyed, however early.
package struct RowCursor: ~Copyable {
  /// The current row, valid after `next()` has returned true.
  package let row: RowView
  private let statement: Statement
  private let generation: Int
  private var isAtEnd = false

  init(_ statement: Statement) {
    self.statement = statement
    row = RowView(statement.handle)
    statement.reset()
    generation = statement.handle.generation
  }

  deinit {
    // A replaced cursor must not reset the statement that its replacement uses.
    if statement.handle.generation == generation { statement.reset() }
  }

  /// Moves to the next row, starting with the first. Returns false at the end, and from then on.
  package mutating func next() throws(SQLiteError) -> Bool {
    if isAtEnd { return false }
    guard statement.handle.generation == generation else {
      isAtEnd = true
      if statement.handle.pointer == nil { throw statement.handle.connection.closedError(sql: statement.sql) }
      throw statement.misuse("the query was restarted while its rows were being read")
    }
    // Set before the step: after an error, there are no more rows, either.
    isAtEnd = true
    guard try statement.handle.step() else { return false }
    isAtEnd = false
    return true
  }
}
