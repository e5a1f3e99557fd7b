import HeavyliftSQLite
import Testing

@Suite struct RowCursorTests {
  private func numbers(_ count: Int) throws -> (Database, Statement) {
    let database = try Database.inMemory()
    try database.execute("CREATE TABLE number (value INTEGER)")
    for value in 0..<count { try database.run("INSERT INTO number VALUES (?)", .integer(Int64(value))) }
    return (database, try database.prepare("SELECT value FROM number ORDER BY value"))
  }

  @Test func `every row comes once, in order, and the end stays the end`() throws {
    let (_, statement) = try numbers(3)
    var cursor = statement.query()
    var values: [Int64] = []
    while try cursor.next() { values.append(cursor.row.integer(at: 0)) }
    #expect(values == [0, 1, 2])
    // SQLite itself would restart here.
    #expect(try !cursor.next())
    #expect(try !cursor.next())
  }

  @Test func `a cursor that is left early resets its statement`() throws {
    let (database, statement) = try numbers(3)
    func first() throws -> Int64 {
      var cursor = statement.query()
      guard try cursor.next() else { return -1 }
      return cursor.row.integer(at: 0)
    }
    #expect(try first() == 0)
    #expect(try first() == 0)
    // A statement with a current row would lock its table: "database table is locked".
    try database.execute("DROP TABLE number")
  }

  @Test func `a statement with a current row locks its table`() throws {
    let (database, statement) = try numbers(3)
    #expect(try statement.step())
    let error = #expect(throws: SQLiteError.self) { try database.execute("DROP TABLE number") }
    #expect(
      error?.description == """
        database ':memory:': database table is locked (SQLITE_LOCKED)
          in: DROP TABLE number
          another statement of this connection is using the table: finish or reset that statement first
        """)
    statement.reset()
    try database.execute("DROP TABLE number")
  }

  @Test func `a second cursor takes over the statement, and the first one throws`() throws {
    let (_, statement) = try numbers(3)
    var first = statement.query()
    #expect(try first.next())
    var second = statement.query()
    #expect(try second.next())
    var error: SQLiteError?
    do throws(SQLiteError) { _ = try first.next() } catch let caught { error = caught }
    #expect(error?.message == "the query was restarted while its rows were being read")
    _ = consume first
    // The end of the first one has not reset the second.
    #expect(try second.next())
    let value = second.row.integer(at: 0)
    #expect(value == 1)
  }

  @Test(arguments: [1, -1, .max])
  func `a column that the row does not have is a mistake of the program`(column: Int) async {
    await #expect(processExitsWith: .failure) { [column] in
      let statement = try Database.inMemory().prepare("SELECT 1")
      _ = try statement.step()
      // Printed, so that it is not optimized away.
      print(statement.row.integer(at: column))
    }
  }

  @Test func `a row is there only once there is one`() async {
    await #expect(processExitsWith: .failure) {
      let cursor = try Database.inMemory().prepare("SELECT 1").query()
      print(cursor.row.integer(at: 0))
    }
  }

  @Test func `an error ends the rows`() throws {
    let database = try Database.inMemory()
    let statement = try database.prepare(
      "SELECT abs(value) FROM (SELECT 1 AS value UNION ALL SELECT -9223372036854775808 UNION ALL SELECT 3)")
    var cursor = statement.query()
    #expect(try cursor.next())
    var error: SQLiteError?
    do throws(SQLiteError) { _ = try cursor.next() } catch let caught { error = caught }
    #expect(error?.message == "integer overflow")
    #expect(try !cursor.next())
  }

  @Test func `a row knows its columns, also after the schema has changed under the statement`() throws {
    let (database, _) = try numbers(1)
    let statement = try database.prepare("SELECT * FROM number")
    #expect(statement.columnNames == ["value"])
    try database.execute("ALTER TABLE number ADD COLUMN note DEFAULT 'new'")
    var cursor = statement.query()
    let before = cursor.row.columnCount
    #expect(before == 0)
    #expect(try cursor.next())
    let values = try cursor.row.values()
    #expect(values == [.integer(0), .text("new")])
    #expect(statement.columnNames == ["value", "note"])
  }
}
