import Foundation
import HeavyliftSQLite
import Testing

@Suite struct StatementTests {
  let database: Database

  init() throws {
    database = try Database.inMemory()
    try database.execute("CREATE TABLE t (a, b)")
  }

  private func rows(_ sql: String = "SELECT a, b FROM t") throws -> [[SQLiteValue]] {
    var cursor = try database.cached(sql).query()
    var rows: [[SQLiteValue]] = []
    while try cursor.next() { rows.append(try cursor.row.values()) }
    return rows
  }

  @Test func `a statement describes itself`() throws {
    let statement = try database.prepare("SELECT a AS first, b FROM t WHERE a = :a OR b = ?")
    #expect(statement.sql == "SELECT a AS first, b FROM t WHERE a = :a OR b = ?")
    #expect(statement.columnCount == 2)
    #expect(statement.columnName(0) == "first")
    #expect(statement.parameterCount == 2)
    #expect(statement.parameterIndex(":a") == 1)
    #expect(statement.parameterIndex(":c") == nil)
    #expect(statement.isReadOnly)
    #expect(try !database.prepare("DELETE FROM t").isReadOnly)
  }

  @Test func `what was bound stays bound until it is cleared`() throws {
    let statement = try database.prepare("INSERT INTO t VALUES (?, ?)")
    try statement.bind([.integer(1), .text("x")])
    try statement.execute()
    try statement.bind(2 as Int64, at: 1)
    try statement.execute()
    statement.clearBindings()
    try statement.execute()
    #expect(try rows() == [[1, "x"], [2, "x"], [nil, nil]])
  }

  @Test func `the fast ways of binding bind the same`() throws {
    let statement = try database.prepare("INSERT INTO t VALUES (?, ?)")
    let text = Array("Grüße\0".utf8)
    let bytes: [UInt8] = [0, 1, 2]
    try text.withUnsafeBufferPointer { text in
      try bytes.withUnsafeBytes { bytes in
        try statement.bind(text: text, at: 1)
        try statement.bind(blob: bytes, at: 2)
        try statement.execute()
        try statement.bind(borrowedText: text, at: 1)
        try statement.bind(borrowedBlob: bytes, at: 2)
        try statement.execute()
      }
    }
    let nothing = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    try statement.bind(text: nothing, at: 1)
    try statement.bind(blob: UnsafeRawBufferPointer(nothing), at: 2)
    try statement.execute()
    try statement.bind(borrowedText: nothing, at: 1)
    try statement.bind(borrowedBlob: UnsafeRawBufferPointer(nothing), at: 2)
    try statement.execute()
    try statement.bind(0.5, at: 1)
    try statement.bindNull(at: 2)
    try statement.execute()
    let full: [SQLiteValue] = [.text("Grüße\0"), .blob(Data([0, 1, 2]))]
    let empty: [SQLiteValue] = [.text(""), .blob(Data())]
    #expect(try rows() == [full, full, empty, empty, [0.5, nil]])
  }

  @Test func `columns pass from a row to a statement as they are`() throws {
    let source = try Database.inMemory()
    let values = "VALUES (1, 2.5), ('text', x'00FF'), (NULL, ''), (x'', CAST(x'FF' AS TEXT))"
    for isBorrowed in [false, true] {
      let insert = try database.prepare("INSERT INTO t VALUES (?, ?)")
      var cursor = try source.prepare(values).query()
      while try cursor.next() {
        for column in 0..<2 {
          if isBorrowed {
            try insert.bind(borrowed: cursor.row, column: column, at: column + 1)
          } else {
            try insert.bind(copyOf: cursor.row, column: column, at: column + 1)
          }
        }
        try insert.execute()
      }
    }
    let quoted = try rows("SELECT typeof(a) || ' ' || quote(a), typeof(b) || ' ' || hex(b) FROM t")
    let expected: [[SQLiteValue]] = [
      ["integer 1", "real 322E35"], ["text 'text'", "blob 00FF"], ["null NULL", "text "], ["blob X''", "text FF"],
    ]
    #expect(quoted == expected + expected)
  }

  /// An invalid call, and the message for it.
  @Test func `calls that cannot be carried out say why`() throws {
    let statement = try database.prepare("INSERT INTO t VALUES (?, ?)")
    let selection = try database.prepare("SELECT ? UNION ALL SELECT 2")
    let calls: [(() throws -> Void, String)] = [
      ({ try statement.bind(1 as Int64, at: 3) }, "there is no parameter 3: the statement has 2"),
      ({ try statement.bind(text: "x", at: 0) }, "there is no parameter 0: the statement has 2"),
      ({ try statement.bindNull(at: .max) }, "there is no parameter \(Int.max): the statement has 2"),
      ({ try statement.bind(blob: Data(), at: -1) }, "there is no parameter -1: the statement has 2"),
      ({ try statement.bind([.null]) }, "the number of values (1) differs from the number of parameters (2)"),
      ({ try database.run("SELECT ?") }, "the number of values (0) differs from the number of parameters (1)"),
      (
        {
          _ = try selection.step()
          try selection.bind(1 as Int64, at: 1)
        }, "a parameter cannot be bound while the statement has a current row: reset it first"
      ),
      ({ _ = try database.prepare("SELECT 1; SELECT 2") }, "the SQL contains more than one statement"),
      ({ _ = try database.cached("SELECT 1; nonsense") }, "near \"nonsense\": syntax error"),
      ({ _ = try database.prepare("") }, "the SQL contains no statement"),
      ({ _ = try database.prepare(" ; -- only a comment") }, "the SQL contains no statement"),
    ]
    for (call, message) in calls {
      let error = #expect(throws: SQLiteError.self) { try call() }
      #expect(error?.message == message)
    }
  }

  @Test func `comments and semicolons are not a second statement`() throws {
    let sql = " ; /* before */ SELECT 7 ; -- after ü\n /* and more */ ;"
    #expect(try database.prepare(sql).sql == sql)
    #expect(try database.firstValue(sql) == .integer(7))
  }

  @Test func `a script runs statement by statement`() throws {
    try database.execute(
      """
      -- Grüße
      INSERT INTO t VALUES ('ä;', 1);
      INSERT INTO t VALUES ('b', 2) RETURNING a; SELECT * FROM t;
      ;
      CREATE TABLE later (x); INSERT INTO later VALUES (1);
      """)
    #expect(try rows() == [["ä;", 1], ["b", 2]])
    #expect(try database.firstValue("SELECT x FROM later") == .integer(1))
    try database.execute("")
  }

  @Test func `a script stops at its first mistake, which names its statement alone`() throws {
    let error = #expect(throws: SQLiteError.self) {
      try database.execute("INSERT INTO t VALUES (1, 1); INSERT INTO nowhere VALUES (2); INSERT INTO t VALUES (3, 3)")
    }
    #expect(error?.message == "no such table: nowhere")
    #expect(error?.sql == "INSERT INTO nowhere VALUES (2);")
    #expect(try rows() == [[1, 1]])
  }

  @Test func `changes and keys are counted`() throws {
    try database.run("INSERT INTO t VALUES (1, 1), (2, 2)")
    #expect(database.changes == 2)
    #expect(database.lastInsertedRowID == 2)
    try database.run("DELETE FROM t WHERE a = 1")
    #expect(database.changes == 1)
    #expect(database.totalChanges == 3)
  }

  @Test func `a statement outlives its last reference to the database`() throws {
    func orphan() throws -> Statement { try Database.inMemory().prepare("SELECT 5") }
    let statement = try orphan()
    #expect(try statement.step())
    let value = statement.row.integer(at: 0)
    #expect(value == 5)
  }
}
