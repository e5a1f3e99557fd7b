import HeavyliftSQLite
import Synchronization
import Testing

struct InterruptConditionTests {
  private final class Flag: Sendable {
    let holds = Mutex(true)
  }

  private static let long =
    "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n"

  @Test func `a condition ends the statement that runs, and later ones for as long as it holds`() throws {
    let database = try Database.inMemory()
    let flag = Flag()
    database.interrupt { flag.holds.withLock { $0 } }
    for _ in 0..<2 {
      let error = #expect(throws: SQLiteError.self) { try database.firstValue(Self.long) }
      #expect(error?.isInterrupt == true)
    }
    flag.holds.withLock { $0 = false }
    let bounded =
      "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 200000) SELECT count(*) FROM n"
    #expect(try database.firstValue(bounded) == 200_000)
  }
}
