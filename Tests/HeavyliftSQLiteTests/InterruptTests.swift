import Foundation
import HeavyliftSQLite
import HeavyliftTestSupport
import Testing

@Suite struct InterruptTests {
  private static let numbers = """
    WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 1000000) SELECT x FROM c WHERE stop() = 1
    """

  private static let long = """
    WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 300000000)
    SELECT count(*) FROM c WHERE tick(x) = 1
    """

  /// Signals another thread that the query is running, which then interrupts it.
  private func interruptWhenRunning(_ database: Database) throws {
    let isRunning = DispatchSemaphore(value: 0)
    let interrupter = database.interrupter
    try database.register(function: "tick", argumentCount: 1, isDeterministic: false) { arguments in
      if arguments.integer(at: 0) == 100 { isRunning.signal() }
      return 1
    }
    Thread.detachNewThread {
      isRunning.wait()
      interrupter.interrupt()
    }
  }

  @Test func `a long query stops when another thread interrupts it, and the connection goes on`() throws {
    let database = try Database.inMemory()
    try interruptWhenRunning(database)
    let error = #expect(throws: SQLiteError.self) { try database.firstValue(InterruptTests.long) }
    #expect(error?.isInterrupt == true)
    #expect(error?.message == "interrupted")
    #expect(error?.remedy == "the work was interrupted on request; the connection can be used again")
    #expect(try database.firstValue("SELECT 1") == 1)
  }

  @Test func `an interrupted change is taken back`() throws {
    let database = try Database.inMemory()
    try database.execute("CREATE TABLE t (x)")
    try interruptWhenRunning(database)
    let error = #expect(throws: SQLiteError.self) {
      try database.transaction {
        try database.run("INSERT INTO t VALUES (1)")
        try database.execute("INSERT INTO t \(InterruptTests.long)")
      }
    }
    #expect(error?.isInterrupt == true)
    #expect(!database.isInTransaction)
    #expect(try database.firstValue("SELECT count(*) FROM t") == 0)
  }

  @Test func `an interrupt from within a function is one for the statement that calls it`() throws {
    let database = try Database.inMemory()
    try database.register(function: "stop", argumentCount: 0, isDeterministic: false) { [unowned database] _ in
      database.interrupt()
      return .integer(1)
    }
    let error = #expect(throws: SQLiteError.self) {
      try database.firstValue("SELECT stop() + sum(x) FROM (\(InterruptTests.numbers))")
    }
    #expect(error?.isInterrupt == true)
    #expect(try database.firstValue("SELECT 1") == 1)
  }

  @Test func `an interrupt without anything running does nothing`() throws {
    let database = try Database.inMemory()
    database.interrupt()
    #expect(try database.firstValue("SELECT 1") == 1)
  }

  @Test func `an interrupter may come while the database closes, and after`() throws {
    for _ in 0..<50 {
      let database = try Database.inMemory()
      let interrupter = database.interrupter
      let done = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        for _ in 0..<100 { interrupter.interrupt() }
        done.signal()
      }
      try database.close()
      done.wait()
      interrupter.interrupt()
    }
  }
}
