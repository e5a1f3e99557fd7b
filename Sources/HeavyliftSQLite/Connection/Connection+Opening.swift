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

  /// Opens what a URI names.
  static func open(
    _ path: String, uri: String, _ mode: Database.Mode, _ options: Database.Options, access: ReadingAccess?,
    traces: ReadingTraces? = nil
  ) throws(SQLiteError) -> Connection {
    var pointer: OpaquePointer?
    let flags = mode.flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI | SQLITE_OPEN_EXRESCODE
    let result = sqlite3_open_v2(uri, &pointer, flags, nil)
    // SQLite hands out a connection even where it fails, to hold the message.
    guard let pointer else { throw SQLiteError(code: .outOfMemory, message: "out of memory", path: path) }
    let connection = Connection(pointer, path: path, access: access, traces: traces)
    guard result == SQLITE_OK else { throw connection.failure(result, sql: nil, isRunning: false) }
    sqlite3_busy_timeout(pointer, Int32(clamping: max(0, options.busyTimeout)))
    return connection
  }

  /// Opens a file in the first way that works and leaves its folder as it is.
  static func reading(_ path: String, _ options: Database.Options) throws(SQLiteError) -> Connection {
    // A path that is not one is refused before anything looks for a file there.
    _ = try Database.uri(path, parameters: [])
    var files = try DatabaseFiles(path: path)
    // The last process to close a log removes its files, maybe between the look at them and the opening.
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
        // SQLite creates companions of databases in WAL mode alone.
        let leavesTraces = access.isShared && (files.usesWriteAheadLog || files.writeAheadLogSize != nil)
        let connection = try open(
          path, .readOnly, options, access: access, traces: leavesTraces ? ReadingTraces(files) : nil)
        try connection.begin(access)
        return connection
      } catch {
        guard error.isCantOpen || error.isReadOnly else { throw error }
        // The first one tells more about the file: the other is for folders that cannot be written.
        failure = failure ?? error
      }
    }
    throw failure ?? Database.cannotOpen(path, "unable to open database file")
  }

  /// Reads the first page, which is when SQLite opens the log.
  private func begin(_ access: ReadingAccess) throws(SQLiteError) {
    // Reading never merges a log, and closing must not, either.
    heavylift_sqlite3_keep_log_on_close(pointer, 1)
    if access == .unlocked { sqlite3_exec(pointer, "PRAGMA locking_mode = EXCLUSIVE", nil, nil, nil) }
    let sql = "PRAGMA schema_version"
    let result = sqlite3_exec(pointer, sql, nil, nil, nil)
    guard result == SQLITE_OK else { throw failure(result, sql: sql) }
  }
}
