import HeavyliftSQLite
import Testing

@Suite struct SQLiteErrorTests {
  /// An operation on an in-memory database, and the whole message.
  static let mistakes: [(sql: String, message: String)] = [
    (
      "SELECT * FROM missing",
      "database ':memory:': no such table: missing (SQLITE_ERROR)\n  in: SELECT * FROM missing"
    ),
    (
      "SELEC 1", "database ':memory:': near \"SELEC\": syntax error (SQLITE_ERROR)\n  in: SELEC 1"
    ),
    (
      "INSERT INTO book VALUES (1, 'secret')",
      """
      database ':memory:': UNIQUE constraint failed: book.key (SQLITE_CONSTRAINT_PRIMARYKEY)
        in: INSERT INTO book VALUES (1, 'secret')
      """
    ),
    (
      "INSERT INTO book VALUES (2, NULL)",
      """
      database ':memory:': NOT NULL constraint failed: book.title (SQLITE_CONSTRAINT_NOTNULL)
        in: INSERT INTO book VALUES (2, NULL)
      """
    ),
    (
      "INSERT INTO book VALUES (2, 'Cosmos')",
      """
      database ':memory:': UNIQUE constraint failed: book.title (SQLITE_CONSTRAINT_UNIQUE)
        in: INSERT INTO book VALUES (2, 'Cosmos')
      """
    ),
    (
      "INSERT INTO loan VALUES (9)",
      """
      database ':memory:': FOREIGN KEY constraint failed (SQLITE_CONSTRAINT_FOREIGNKEY)
        in: INSERT INTO loan VALUES (9)
      """
    ),
    (
      "INSERT INTO book VALUES ('x', 'y')",
      "database ':memory:': datatype mismatch (SQLITE_MISMATCH)\n  in: INSERT INTO book VALUES ('x', 'y')"
    ),
    (
      "SELECT upper('a', 'b')",
      """
      database ':memory:': wrong number of arguments to function upper() (SQLITE_ERROR)
        in: SELECT upper('a', 'b')
      """
    ),
    (
      "PRAGMA query_only = ON; DELETE FROM book",
      """
      database ':memory:': attempt to write a readonly database (SQLITE_READONLY)
        in: DELETE FROM book
        open it for writing, and make sure that the file and its folder are writable
      """
    ),
    (
      "COMMIT",
      "database ':memory:': cannot commit - no transaction is active (SQLITE_ERROR)\n  in: COMMIT"
    ),
    ("SELECT 1\0", "database ':memory:': the SQL contains U+0000 (SQLITE_MISUSE)\n  in: SELECT 1\0"),
  ]

  private func library() throws -> Database {
    let database = try Database.inMemory()
    try database.execute(
      """
      PRAGMA foreign_keys = ON;
      CREATE TABLE book (key INTEGER PRIMARY KEY, title TEXT NOT NULL UNIQUE);
      CREATE TABLE loan (book REFERENCES book);
      INSERT INTO book VALUES (1, 'Cosmos');
      """)
    return database
  }

  @Test(arguments: mistakes)
  func `an error has the database, the code's name, the statement and the remedy`(
    mistake: (sql: String, message: String)
  ) throws {
    let database = try library()
    let error = #expect(throws: SQLiteError.self) { try database.execute(mistake.sql) }
    #expect(error?.description == mistake.message)
  }

  @Test func `bound values are in neither message nor SQL`() throws {
    let database = try library()
    let secret = "Geheimnis"
    let sql = "INSERT INTO book VALUES (1, ?)"
    let error = #expect(throws: SQLiteError.self) { try database.run(sql, .text(secret)) }
    #expect(error?.sql == sql)
    #expect(error?.isConstraint == true)
    #expect(error.map { String(reflecting: $0).contains(secret) } == false)
  }

  @Test(arguments: ["$Geheimnis", "$['Geheimnis'", "Geheimnis", "$\"Geheimnis' x"])
  func `a value that SQLite quotes is removed`(path: String) throws {
    let database = try library()
    let error = #expect(throws: SQLiteError.self) {
      try database.run("SELECT json_extract('{}', ?)", .text(path))
    }
    #expect(error?.message.contains("Geheimnis") == false)
    #expect(error?.message.contains("…") == true)
  }

  @Test func `a compiler's message keeps what it quotes, and says where`() throws {
    let database = try library()
    let error = #expect(throws: SQLiteError.self) { try database.prepare("SELECT titel FROM book") }
    #expect(error?.message == "no such column: titel")
    #expect(error?.offset == 7)
  }

  @Test func `long SQL is shortened from its middle, and whole in the error`() {
    let columns = (1...200).map { "column\($0)" }.joined(separator: ",\n   ")
    let sql = "SELECT \(columns) FROM book WHERE key = ?"
    let error = SQLiteError(code: .error, message: "no such column: column1", sql: sql)
    #expect(error.sql == sql)
    let first = "SELECT " + (1...17).map { "column\($0)" }.joined(separator: ", ")
    #expect(
      error.description == """
        no such column: column1 (SQLITE_ERROR)
          in: \(first), column18, … column198, column199, column200 FROM book WHERE key = ?
        """)
  }

  /// An extended code, the property that recognizes it, and the remedy.
  static let families: [(code: Int32, is: @Sendable (SQLiteError) -> Bool, remedy: String)] = [
    (
      5, \.isBusy,
      "another connection or program is using the database: wait, or allow more time with the option 'busyTimeout'"
    ),
    (
      261, \.isBusy,
      "another connection or program is using the database: wait, or allow more time with the option 'busyTimeout'"
    ),
    (6, \.isBusy, "another statement of this connection is using the table: finish or reset that statement first"),
    (1544, \.isReadOnly, "its folder is not writable, and SQLite needs to write its journal there"),
    (9, \.isInterrupt, "the work was interrupted on request; the connection can be used again"),
    (522, \.isInputOutput, "the file is shorter than its header says: it was truncated; restore it from a backup"),
    (
      779, \.isCorrupt,
      "it is damaged: restore it from a backup, or recover the readable parts with '.recover' in the 'sqlite3' shell"
    ),
    (13, \.isFull, "free space on its disk, then try again"),
    (
      14, \.isCantOpen,
      "check that the file and its folder exist and can be opened; with a write-ahead log, the folder must also be writable"
    ),
    (26, \.isNotADatabase, "it is another kind of file, it is encrypted, or its first bytes are damaged"),
  ]

  @Test(arguments: families)
  func `an extended code belongs to one family and has its remedy`(
    family: (code: Int32, is: @Sendable (SQLiteError) -> Bool, remedy: String)
  ) {
    let error = SQLiteError(code: ResultCode(rawValue: family.code), message: "x")
    #expect(family.is(error))
    #expect(error.remedy == family.remedy)
    let helpers: [(SQLiteError) -> Bool] = [
      \.isBusy, \.isReadOnly, \.isInterrupt, \.isInputOutput, \.isCorrupt, \.isFull, \.isCantOpen, \.isNotADatabase,
      \.isConstraint, \.isClosed, \.isInvalidText,
    ]
    #expect(helpers.count { $0(error) } == 1)
  }

  @Test(arguments: [
    (0, "SQLITE_OK"), (522, "SQLITE_IOERR_SHORT_READ"), (2067, "SQLITE_CONSTRAINT_UNIQUE"), (26, "SQLITE_NOTADB"),
    (1544, "SQLITE_READONLY_DIRECTORY"), (773, "SQLITE_BUSY_TIMEOUT"), (0xFE05, "SQLITE_BUSY (65029)"),
    (99, "SQLITE_99"),
  ])
  func `a code has the name that SQLite gives it`(code: Int32, name: String) {
    #expect(ResultCode(rawValue: code).description == name)
  }

  @Test func `errors are equal by what they say, underlying ones by occurrence`() {
    struct Failure: Error {}
    let one = SQLiteError(code: .error, message: "x", underlyingError: Failure())
    let copy = one
    let other = SQLiteError(code: .error, message: "x", underlyingError: Failure())
    #expect(one == copy)
    #expect(one.hashValue == copy.hashValue)
    #expect(one != other)
    #expect(SQLiteError(code: .error, message: "x") == SQLiteError(code: .error, message: "x"))
  }
}
