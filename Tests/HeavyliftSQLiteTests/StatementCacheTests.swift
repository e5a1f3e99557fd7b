import HeavyliftTestSupport
import Testing

@testable import HeavyliftSQLite

@Suite struct StatementCacheTests {
  @Test func `two users of one SQL at a time have a statement each`() throws {
    let database = try Database.inMemory()
    try database.execute("CREATE TABLE t (x); INSERT INTO t VALUES (1), (2), (3)")
    // A query that runs itself again while its rows are read.
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

  @Test func `the statement that was not used for longest goes first`() throws {
    let folder = try TemporaryFolder()
    let path = folder.appending("a.db").path
    let database = try Database(path: path, mode: .create, options: .init(statementCacheCapacity: 3))
    for sql in ["SELECT 1", "SELECT 2", "SELECT 3", "SELECT 1", "SELECT 4", "SELECT 4"] {
      _ = try database.firstValue(sql)
    }
    let kept = (1...4).map { database.cache.take("SELECT \($0)") != nil }
    #expect(kept == [true, false, true, true])
  }

  @Test func `a statement that is used twice at a time is kept once`() throws {
    let database = try Database.inMemory()
    do {
      let first = try database.cached("SELECT 1")
      let second = try database.cached("SELECT 1")
      #expect(first !== second)
    }
    #expect(database.cache.take("SELECT 1") != nil)
    #expect(database.cache.take("SELECT 1") == nil)
  }

  @Test func `without capacity nothing is kept`() throws {
    let folder = try TemporaryFolder()
    let options = Database.Options(statementCacheCapacity: 0)
    let database = try Database(path: folder.appending("a.db").path, mode: .create, options: options)
    #expect(try database.firstValue("SELECT 1") == 1)
    #expect(database.cache.take("SELECT 1") == nil)
  }

  @Test func `a kept statement survives a change of the schema`() throws {
    let database = try Database.inMemory()
    try database.execute("CREATE TABLE t (x); INSERT INTO t VALUES (1)")
    #expect(try database.firstValue("SELECT count(*) FROM t") == 1)
    try database.execute("DROP TABLE t; CREATE TABLE t (y, z); INSERT INTO t VALUES (1, 1), (2, 2)")
    #expect(try database.firstValue("SELECT count(*) FROM t") == 2)
  }
}
