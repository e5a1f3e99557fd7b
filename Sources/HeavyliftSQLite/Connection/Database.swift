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
  /// The number of `transaction` blocks that are open, for names of savepoints.
  var transactionDepth = 0

  /// Opens a database file, and reads its first page, so that a file that cannot be used is found out here.
  ///
  /// Opened for reading, a database and the files beside it stay as they are, whatever mode its journal is in: with an
  /// unmerged `-wal`, which is read and not merged; in a folder that cannot be written; and while another process writes.
  /// A `-wal` or `-shm` that SQLite has to create is removed when the last reader closes.
  public convenience init(path: String, mode: Mode, options: Options = Options()) throws(SQLiteError) {
    let connection =
      mode == .readOnly && !options.immutable
      ? try Connection.reading(path, options)
      : try Connection.open(path, mode, options, access: options.immutable ? .immutable : nil)
    try self.init(connection, mode: mode, options: options)
  }

  /// A new database in memory, gone when it is closed.
  public static func inMemory() throws(SQLiteError) -> Database {
    let connection = try Connection.open(":memory:", uri: ":memory:", .create, Options(), access: nil)
    return try Database(connection, mode: .create, options: Options())
  }

  private init(_ connection: Connection, mode: Mode, options: Options) throws(SQLiteError) {
    self.connection = connection
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

  /// True if it was opened as a file that does not change, because of the option, or because SQLite cannot lock it: it
  /// is in a folder that cannot be written, and has nothing in its `-wal`.
  public var isImmutable: Bool { connection.access == .immutable }

  /// True if it is only read, next to a `-shm` that existed before and is not written.
  public var keepsSharedMemory: Bool { connection.access == .shared(keepsSharedMemory: true) }

  /// True if it is read without any locks although it has a log: SQLite cannot create the `-shm` that they need.
  public var isUnlocked: Bool { connection.access == .unlocked }

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
