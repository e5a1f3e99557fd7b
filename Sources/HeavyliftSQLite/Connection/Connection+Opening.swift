import CSQLite

extension Connection {
  /// Opens a file.
  static func open(
    _ path: String, _ mode: Database.Mode, _ options: Database.Options, access: ReadingAccess?,
    traces: ReadingTraces? = nil
  ) throws(SQLiteError) -> Connection {
    let uri = try Database.uri(path, parameters: access?.parameters ?? [])
    return try open(path, uri: uri, mode, options, access: access, traces: traces)
  }

  /// Opens the database that a URI names.
  static func open(
    _ path: String, uri: String, _ mode: Database.Mode, _ options: Database.Options, access: ReadingAccess?,
    traces: ReadingTraces? = nil
  ) throws(SQLiteError) -> Connection {
    var pointer: OpaquePointer?
    let flags = mode.flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI | SQLITE_OPEN_EXRESCODE
    let result = sqlite3_open_v2(uri, &pointer, flags, nil)
    // Even on failure, SQLite usually returns a connection, which holds the message.
    guard let pointer else { throw SQLiteError(code: .outOfMemory, message: "out of memory", path: path) }
    let connection = Connection(pointer, path: path, access: access, traces: traces)
    guard result == SQLITE_OK else { throw connection.failure(result, sql: nil, isRunning: false) }
    sqlite3_busy_timeout(pointer, Int32(clamping: max(0, options.busyTimeout)))
    return connection
  }

  /// Opens a file with the first kind of access that works and leaves its folder unchanged.
  static func reading(_ path: String, _ options: Database.Options) throws(SQLiteError) -> Connection {
    // An invalid path is rejected before anything looks for a file there.
    _ = try Database.uri(path, parameters: [])
    var files = try DatabaseFiles(path: path)
    // The last process to close the database removes its log, possibly after the files are examined and before they are
    // opened.
    for _ in 0..<3 {
      let failure: SQLiteError
      do throws(SQLiteError) {
        return try reading(path, files, options)
      } catch {
        failure = error
      }
      let filesNow = try DatabaseFiles(path: path)
      guard failure.isCantOpen || failure.isReadOnly, filesNow != files else { throw failure }
      files = filesNow
    }
    return try reading(path, files, options)
  }

  private static func reading(
    _ path: String, _ files: DatabaseFiles, _ options: Database.Options
  ) throws(SQLiteError) -> Connection {
    var failure: SQLiteError?
    for access in ReadingAccess.choices(for: files) {
      do throws(SQLiteError) {
        // SQLite creates companion files only for databases in WAL mode.
        let leavesTraces = access.isShared && (files.usesWriteAheadLog || files.writeAheadLogSize != nil)
        let connection = try open(
          path, .readOnly, options, access: access, traces: leavesTraces ? ReadingTraces(files) : nil)
        try connection.begin(access)
        return connection
      } catch {
        guard error.isCantOpen || error.isReadOnly else { throw error }
        // The first error says more about the file: the second attempt is only for read-only folders.
        failure = failure ?? error
      }
    }
    throw failure ?? Database.cannotOpen(path, "unable to open database file")
  }

  /// Reads the first page, at which point SQLite opens the log.
  private func begin(_ access: ReadingAccess) throws(SQLiteError) {
    // Reading never checkpoints a log, and closing must not, either.
    heavylift_sqlite3_keep_log_on_close(pointer, 1)
    if access == .unlocked { sqlite3_exec(pointer, "PRAGMA locking_mode = EXCLUSIVE", nil, nil, nil) }
    let sql = "PRAGMA schema_version"
    let result = sqlite3_exec(pointer, sql, nil, nil, nil)
    guard result == SQLITE_OK else { throw failure(result, sql: sql) }
  }
}
