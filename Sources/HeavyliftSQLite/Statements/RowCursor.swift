/// Runs through the rows of a query, one at a time.
///
/// It cannot be copied: two would step the same statement, and each would miss the rows that the other took. The
/// statement is reset when the cursor goes, however early that is.
public struct RowCursor: ~Copyable {
  /// The current row, once `next()` has said that there is one.
  public let row: RowView
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
    // A cursor that was replaced must not take the statement from the one that replaced it.
    if statement.handle.generation == generation { statement.reset() }
  }

  /// Moves on to the next row, the first one to begin with; false at the end, and from then on.
  public mutating func next() throws(SQLiteError) -> Bool {
    if isAtEnd { return false }
    guard statement.handle.generation == generation else {
      isAtEnd = true
      if statement.handle.pointer == nil { throw statement.handle.connection.closedError(sql: statement.sql) }
      throw statement.misuse("the query was started over while its rows were read")
    }
    // Set first: after an error there is nothing more either.
    isAtEnd = true
    guard try statement.handle.step() else { return false }
    isAtEnd = false
    return true
  }
}
