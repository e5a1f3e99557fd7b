import HeavyliftSQLite
import Testing

@Suite struct StatementCacheTests {
  /// How many statements the connection has compiled and not let go of: SQLite's own count.
  private func compiled(_ database: Database) throws -> Set<String> {
    var cursor = try database.prepare("SELECT sql FROM sqlite_stmt").query()
    var statements: Set<String> = []
    while try cursor.next() { statements.insert(try cursor.row.text(at: 0) ?? "") }
    return statements
  }

  @Test func `two users of one SQL at a time have a statement each`() throws {
    let database = try Database.inMemory()
    try database.execute("CREATE TABLE t (x); INSERT INTO t VALUES (1), (2), (3)")
    // A query that runs itself again within its own rows.
    func pairs() throws -> [[Int64]] {
      var pairs: [[Int64]] = []
      var outer = try database.cached("SELECT x FROM t").query()
      while try outer.next() {
        var inner = try database.cached("SELECT x FROM t").query()
        while try inner.next() { pairs.append([outer.row.integer(at: 0), inner.row.integer(at: 0)]) }
      }
      return pairs
    }
    let expected: [[Int64]] = [[1, 1], [1, 2], [1, 3], [2, 1], [2, 2], [2, 3], [3, 1], [3, 2], [3, 3]]
    #expect(try pairs() == expected)
    #expect(try pairs() == expected)
  }

  @Test func `a statement comes back reset and with nothing bound`() throws {
    let database = try Database.inMemory()
    let sql = "SELECT ? UNION ALL SELECT 'second'"
    do {
      let statement = try database.cached(sql)
      try statement.bind(text: "mine", at: 1)
      #expect(try statement.step())
    }
    let statement = try database.cached(sql)
    #expect(try statement.step())
    let isNull = statement.row.isNull(at: 0)
    #expect(isNull)
  }

  @Test func `a statement that was dropped on a row holds nothing`() throws {
    let database = try Database.inMemory()
    try database.execute("CREATE TABLE t (x); INSERT INTO t VALUES (1), (2)")
    #expect(try database.cached("SELECT x FROM t").step())
    try database.execute("DROP TABLE t")
  }

  @Test func `a kept statement survives a change of the schema`() throws {
    let database = try Database.inMemory()
    try database.execute("CREATE TABLE t (x); INSERT INTO t VALUES (1)")
    #expect(try database.firstValue("SELECT count(*) FROM t") == 1)
    try database.execute("DROP TABLE t; CREATE TABLE t (y, z); INSERT INTO t VALUES (1, 1), (2, 2)")
    #expect(try database.firstValue("SELECT count(*) FROM t") == 2)
  }
}
