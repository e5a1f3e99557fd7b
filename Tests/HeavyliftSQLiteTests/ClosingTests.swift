import Foundation
import HeavyliftSQLite
import HeavyliftTestSupport
import Testing

@Suite struct ClosingTests {
  @Test func `everything says that the database is closed, and nothing crashes`() throws {
    let database = try Database.inMemory()
    try database.execute("CREATE TABLE t (x); INSERT INTO t VALUES (1), (2)")
    let statement = try database.prepare("SELECT x FROM t WHERE x > ?")
    let cached = try database.cached("SELECT x FROM t")
    try statement.bind(0 as Int64, at: 1)
    #expect(try statement.step())
    try database.close()
    try database.close()
    let calls: [() throws -> Void] = [
      { _ = try statement.step() }, { try statement.execute() }, { _ = try cached.step() },
      { try statement.bind(1 as Int64, at: 1) }, { try statement.bind(text: "x", at: 1) },
      { try statement.bind(blob: Data([1]), at: 1) }, { try statement.bind([1]) },
      { try statement.bind(copyOf: cached.row, column: 0, at: 1) },
      { _ = try database.prepare("SELECT 1") }, { _ = try database.cached("SELECT x FROM t") },
      { try database.execute("SELECT 1") }, { try database.run("SELECT 1") }, { try database.begin() },
      { try database.transaction {} }, { try database.attach(path: "x", as: "x", readOnly: true) },
      { try database.detach("x") }, { _ = try database.schemaObjects() },
      { try database.register(function: "f", argumentCount: 0, isDeterministic: true) { _ in .null } },
      { try database.unregister(function: "f", argumentCount: 0) },
      {
        var cursor = statement.query()
        _ = try cursor.next()
      },
    ]
    for (index, call) in calls.enumerated() {
      let error = #expect(throws: SQLiteError.self, "call \(index)") { try call() }
      #expect(error?.isClosed == true, "call \(index): \(String(describing: error))")
      #expect(error?.message == "the database is closed")
    }
    statement.reset()
    statement.clearBindings()
    let isNull = statement.row.isNull(at: 0)
    #expect(isNull)
    #expect(statement.columnCount == 0 && statement.columnNames == [] && statement.parameterCount == 0)
    #expect(statement.sql == "SELECT x FROM t WHERE x > ?")
    #expect(database.isClosed && !database.isInTransaction && database.changes == 0)
  }

  @Test func `rows that are being read end with the database`() throws {
    let database = try Database.inMemory()
    var cursor = try database.prepare("SELECT 1 UNION ALL SELECT 2").query()
    #expect(try cursor.next())
    try database.close()
    let value = try cursor.row.value(at: 0)
    #expect(value == .null)
    var error: SQLiteError?
    do throws(SQLiteError) { _ = try cursor.next() } catch let caught { error = caught }
    #expect(
      error?.description == """
        database ':memory:': the database is closed (SQLITE_MISUSE)
          in: SELECT 1 UNION ALL SELECT 2
          keep the database open for as long as its statements are used
        """)
  }

  @Test func `closing releases the file even if a statement has a current row`() throws {
    let folder = try TemporaryFolder()
    let path = folder.appending("a.db").path
    let database = try Database(path: path, mode: .create)
    try database.execute("PRAGMA journal_mode = WAL; CREATE TABLE t (x); INSERT INTO t VALUES (1), (2)")
    let statement = try database.prepare("SELECT x FROM t")
    #expect(try statement.step())
    try database.close()
    // Checkpointed and removed: a half-closed connection would keep them.
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["a.db"])
    withExtendedLifetime(statement) {}
  }

  @Test func `a released database closes its file`() throws {
    let folder = try TemporaryFolder()
    let path = folder.appending("a.db").path
    func use() throws {
      let database = try Database(path: path, mode: .create)
      try database.execute("PRAGMA journal_mode = WAL; CREATE TABLE t (x)")
      try database.run("INSERT INTO t VALUES (?)", 1)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).count == 3)
    }
    try use()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["a.db"])
  }
}
