import HeavyliftSQLite
import HeavyliftTestSupport
import Testing

private struct Failure: Error, Equatable {
  var number: Int
}

@Suite struct TransactionTests {
  let database: Database

  init() throws {
    database = try Database.inMemory()
    try database.execute("PRAGMA foreign_keys = ON; CREATE TABLE t (x INTEGER PRIMARY KEY)")
    try database.execute("CREATE TABLE child (t REFERENCES t DEFERRABLE INITIALLY DEFERRED)")
  }

  private func insert(_ value: Int64) throws { try database.run("INSERT INTO t VALUES (?)", .integer(value)) }

  private func values() throws -> [Int64] {
    var cursor = try database.cached("SELECT x FROM t ORDER BY x").query()
    var values: [Int64] = []
    while try cursor.next() { values.append(cursor.row.integer(at: 0)) }
    return values
  }

  @Test(arguments: [Database.TransactionKind.deferred, .immediate, .exclusive])
  func `a block's changes are committed, and its result is returned`(kind: Database.TransactionKind) throws {
    let result = try database.transaction(kind) {
      try insert(1)
      #expect(database.isInTransaction)
      return "done"
    }
    #expect(result == "done")
    #expect(try values() == [1])
    #expect(!database.isInTransaction)
  }

  @Test func `a failed block's changes are rolled back, and its error is rethrown`() throws {
    #expect(throws: Failure(number: 7)) {
      try database.transaction {
        try insert(1)
        throw Failure(number: 7)
      }
    }
    #expect(try values() == [])
    #expect(!database.isInTransaction)
  }

  @Test func `an inner block can fail alone`() throws {
    try database.transaction {
      try insert(1)
      do {
        try database.transaction {
          try insert(2)
          try database.transaction { try insert(3) }
          throw Failure(number: 2)
        }
      } catch let failure as Failure {
        #expect(failure == Failure(number: 2))
      }
      try database.transaction { try insert(4) }
    }
    #expect(try values() == [1, 4])
  }

  @Test func `an outer block that fails takes the inner ones with it`() throws {
    #expect(throws: Failure(number: 1)) {
      try database.transaction {
        try database.transaction { try insert(2) }
        throw Failure(number: 1)
      }
    }
    #expect(try values() == [])
  }

  @Test func `a commit that fails takes everything back`() throws {
    let error = #expect(throws: SQLiteError.self) {
      try database.transaction {
        try insert(1)
        try database.run("INSERT INTO child VALUES (99)")
      }
    }
    #expect(
      error?.description == """
        database ':memory:': FOREIGN KEY constraint failed (SQLITE_CONSTRAINT_FOREIGNKEY)
          in: COMMIT
        """)
    #expect(!database.isInTransaction)
    #expect(try values() == [])
  }

  @Test func `a block that swallows an error after which SQLite rolled back is reported`() throws {
    let error = #expect(throws: SQLiteError.self) {
      try database.transaction {
        try insert(1)
        // Swallowed.
        try? database.run("INSERT OR ROLLBACK INTO t VALUES (1)")
      }
    }
    #expect(
      error?.description == """
        database ':memory:': the transaction ended before its block did: \
        the block ended it, or SQLite rolled it back after an error (SQLITE_MISUSE)
        """)
    #expect(try values() == [])
    try database.transaction { try insert(5) }
    #expect(try values() == [5])
  }

  @Test func `the error after which SQLite rolled back comes out of all blocks`() throws {
    let error = #expect(throws: SQLiteError.self) {
      try database.transaction {
        try database.transaction {
          try insert(1)
          try database.run("INSERT OR ROLLBACK INTO t VALUES (1)")
        }
      }
    }
    #expect(error?.extendedCode.description == "SQLITE_CONSTRAINT_PRIMARYKEY")
  }

  @Test func `a database that is closed within its transaction rolls back`() throws {
    let folder = try TemporaryFolder()
    let path = folder.appending("a.db").path
    let database = try Database(path: path, mode: .create)
    try database.execute("CREATE TABLE t (x)")
    let error = #expect(throws: SQLiteError.self) {
      try database.transaction {
        try database.run("INSERT INTO t VALUES (1)")
        try database.close()
      }
    }
    #expect(error?.isClosed == true)
    #expect(try Database(path: path, mode: .readOnly).firstValue("SELECT count(*) FROM t") == 0)
  }

  @Test func `begin, commit and rollback do what they say`() throws {
    try database.begin()
    try insert(1)
    try database.rollback()
    try database.begin(.deferred)
    try insert(2)
    try database.commit()
    #expect(try values() == [2])
    let error = #expect(throws: SQLiteError.self) { try database.rollback() }
    #expect(error?.message == "cannot rollback - no transaction is active")
  }
}
