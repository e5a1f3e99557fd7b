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
/// A database and all its statements belong to one thread at a time, like a managed object context: the connection
/// has no mutex, which SQLite would otherwise lock for every column. `Database` is not `Sendable`, so the compiler
/// enforces this; only an `Interrupter` can be used from other threads.
///
/// The file is closed when the database and its statements are released; `close()` closes it immediately and reports
/// errors.
package final class Database {
  let connection: Connection
  let cache: StatementCache
  /// The number of nested `transaction` blocks, for names of savepoints.
  var transactionDepth = 0

  /// Opens a database file and reads its first page, so that an unusable file is detected here.
  ///
  /// In read-only mode, the database and the files next to it are not changed, whatever its journal mode. This also
  /// holds with an unmerged `-wal` (which is read but not checkpointed), in a folder that is not writable, and while
  /// another process writes. A `-wal` or `-shm` that SQLite has to create is removed when the last reader closes.
  package convenience init(path: String, mode: Mode, options: Options = Options()) throws(SQLiteError) {
    let connection =
      mode == .readOnly && !options.immutable
      ? try Connection.reading(path, options)
      : try Connection.open(path, mode, options, access: options.immutable ? .immutable : nil)
    try self.init(connection, mode: mode, options: options)
  }

  /// Creates a database in memory, which is lost when it is closed.
  package static func inMemory() throws(SQLiteError) -> Database {
    let connection = try Connection.open(":memory:", uri: ":memory:", .create, Options(), access: nil)
    return try Database(connection, mode: .create, options: Options())
  }

  private init(_ connection: Connection, mode: Mode, options: Options) throws(SQLiteError) {
    self.connection = connection
    cache = StatementCache(capacity: options.statementCacheCapacity)
    // SQL in a schema runs with the program's privileges. A store may come from an untrusted source, so its triggers,
    // views and indexes may only call harmless functions (https://sqlite.org/security.html).
    try execute("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
    try probe(mode)
  }

  /// The path as given.
  package var path: String { connection.path }

  /// The version of the SQLite library in use, such as `3.40.1`.
  package static var version: String { String(cString: sqlite3_libversion()) }

  /// A Boolean value that indicates whether the database is read-only.
  package var isReadOnly: Bool {
    guard let pointer = connection.pointer else { return true }
    return sqlite3_db_readonly(pointer, "main") != 0
  }

  /// True if the file was opened as immutable, because of the option or because SQLite cannot lock it: the file is in a
  /// folder that is not writable, and its `-wal` is empty or missing.
  package var isImmutable: Bool { connection.access == .immutable }

  /// True if the file is only read, and an existing `-shm` next to it is not written.
  package var keepsSharedMemory: Bool { connection.access == .shared(keepsSharedMemory: true) }

  /// True if the file is read without any locks although it has a log: SQLite cannot create the `-shm` for the locks.
  package var isUnlocked: Bool { connection.access == .unlocked }

  /// A Boolean value that indicates whether `close()` has been called.
  package var isClosed: Bool { connection.pointer == nil }

  /// Gives the schema `main` another name for this connection. `main` remains valid.
  package func nameMain(_ name: StaticString) {
    guard let pointer = connection.pointer else { return }
    name.withUTF8Buffer { buffer in
      buffer.withMemoryRebound(to: CChar.self) { _ = heavylift_sqlite3_name_main(pointer, $0.baseAddress) }
    }
  }

  /// The number of rows that the last INSERT, UPDATE or DELETE changed.
  package var changes: Int { connection.pointer.map { Int(sqlite3_changes64($0)) } ?? 0 }

  /// The number of rows changed since the database was opened.
  package var totalChanges: Int { connection.pointer.map { Int(sqlite3_total_changes64($0)) } ?? 0 }

  /// The row ID of the last inserted row; 0 before the first insert.
  package var lastInsertedRowID: Int64 { connection.pointer.map { sqlite3_last_insert_rowid($0) } ?? 0 }

  /// An object that stops the running statements from another thread, or from a function that SQLite is calling.
  package var interrupter: Interrupter { connection.interrupter }

  /// Stops the running statements: they end with an error whose `isInterrupt` is true.
  package func interrupt() { connection.interrupter.interrupt() }

  /// Closes the file and rolls back an open transaction. From then on, remaining statements only throw errors. Closing
  /// a database again has no effect.
  package func close() throws(SQLiteError) {
    try connection.close()
    cache.removeAll()
  }
}
