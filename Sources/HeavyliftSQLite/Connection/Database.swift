import CSQLite

/// An open SQLite database.
///
/// ```swift
/// let database = try Database(path: "Library.sqlite", mode: .readWrite)
/// try database.transaction {
///   try database.run("UPDATE ZBOOK SET ZTITLE = ? WHERE Z_PK = ?", .text("Cosmos"), .integer(3))
/// }
/// var books = try database.cached("SELECT Z_PK, ZTITLE FROM ZBOOK").query()
/// while try books.next() {
///   print(books.row.integer(at: 0), try books.row.text(at: 1) ?? "untitled")
/// }
/// ```
///
/// A database and everything it hands out belong to one thread at a time, like a managed object context: it has no lock
/// of its own, which SQLite would otherwise take for every column. It is not `Sendable`, so the compiler watches over
/// that; only an `Interrupter` goes elsewhere.
///
/// It closes itself when it and its statements are gone; `close()` does so at once and reports what goes wrong.
public final class Database {
  let connection: Connection
  let cache: StatementCache
  private let options: Options
  /// The number of `transaction` blocks that are open, for names of savepoints.
  var transactionDepth = 0

  /// Opens a database file, and reads its first page, so that a file that cannot be used is found out here.
  public convenience init(path: String, mode: Mode, options: Options = Options()) throws(SQLiteError) {
    let name = try Database.uri(path, parameters: options.immutable ? ["immutable=1"] : [])
    try self.init(name: name, path: path, mode: mode, options: options)
  }

  /// A new database in memory, gone when it is closed.
  public static func inMemory() throws(SQLiteError) -> Database {
    try Database(name: ":memory:", path: ":memory:", mode: .create, options: Options())
  }

  private init(name: String, path: String, mode: Mode, options: Options) throws(SQLiteError) {
    var pointer: OpaquePointer?
    let flags = mode.flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI | SQLITE_OPEN_EXRESCODE
    let result = sqlite3_open_v2(name, &pointer, flags, nil)
    // SQLite hands out a connection even where it fails, to hold the message.
    guard let pointer else { throw SQLiteError(code: .outOfMemory, message: "out of memory", path: path) }
    let connection = Connection(pointer, path: path)
    guard result == SQLITE_OK else { throw connection.failure(result, sql: nil, isRunning: false) }
    sqlite3_busy_timeout(pointer, Int32(clamping: max(0, options.busyTimeout)))
    self.connection = connection
    self.options = options
    cache = StatementCache(capacity: options.statementCacheCapacity)
    // What a schema says runs with the program's rights. A store is somebody else's: its triggers, views and indexes get
    // only the functions that are harmless (https://sqlite.org/security.html).
    try execute("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
    try probe(mode)
  }

  /// Where it is, as it was given.
  public var path: String { connection.path }

  /// The version of the SQLite library in use: `3.40.1`.
  public static var version: String { String(cString: sqlite3_libversion()) }

  /// Whether it may only be read.
  public var isReadOnly: Bool {
    guard let pointer = connection.pointer else { return true }
    return sqlite3_db_readonly(pointer, "main") != 0
  }

  /// Whether it was opened as a file that nobody changes.
  public var isImmutable: Bool { options.immutable }

  /// Whether `close()` has been called.
  public var isClosed: Bool { connection.pointer == nil }

  /// The rows that the last INSERT, UPDATE or DELETE changed.
  public var changes: Int { connection.pointer.map { Int(sqlite3_changes64($0)) } ?? 0 }

  /// The rows that were changed since the database was opened.
  public var totalChanges: Int { connection.pointer.map { Int(sqlite3_total_changes64($0)) } ?? 0 }

  /// The key of the row that was inserted last, 0 before the first.
  public var lastInsertedRowID: Int64 { connection.pointer.map { sqlite3_last_insert_rowid($0) } ?? 0 }

  /// Stops the running statements, from another thread or from a function that is being called.
  public var interrupter: Interrupter { connection.interrupter }

  /// Stops the running statements: they end with an error that `isInterrupt`.
  public func interrupt() { connection.interrupter.interrupt() }

  /// Closes the file. An open transaction is rolled back; statements that are still around only give errors from now on.
  /// Closing twice is nothing special.
  public func close() throws(SQLiteError) {
    try connection.close()
    cache.removeAll()
  }
}
