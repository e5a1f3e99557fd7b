import CSQLite

/// The SQLite connection of a `Database`, kept alive by the database and by each of its statements.
final class Connection {
  let path: String
  private(set) var pointer: OpaquePointer?
  let interrupter: Interrupter
  /// The kind of access for a file that is only read; `nil` for other files.
  let access: ReadingAccess?
  private let traces: ReadingTraces?
  /// A condition checked while statements run; once it holds, they are interrupted.
  var interruptCondition: InterruptCondition?
  /// The number of nested calls of registered functions that are currently running.
  var callDepth = 0
  /// The last error that a function threw, until SQLite returns the error that represents it.
  var functionFailure: FunctionFailure?
  /// Unretained: a handle removes itself before it is deallocated.
  private var handles: [ObjectIdentifier: Unmanaged<StatementHandle>] = [:]

  init(_ pointer: OpaquePointer, path: String, access: ReadingAccess? = nil, traces: ReadingTraces? = nil) {
    self.pointer = pointer
    self.path = path
    self.access = access
    self.traces = traces
    interrupter = Interrupter(pointer)
  }

  deinit {
    interrupter.disarm()
    sqlite3_close_v2(pointer)
    traces?.remove()
  }

  func register(_ handle: StatementHandle) { handles[ObjectIdentifier(handle)] = .passUnretained(handle) }

  func unregister(_ handle: StatementHandle) { handles[ObjectIdentifier(handle)] = nil }

  /// Finalizes all statements and closes the connection: a forgotten statement would keep the file open, with its locks
  /// and its `-wal`.
  func close() throws(SQLiteError) {
    guard let pointer else { return }
    guard callDepth == 0 else {
      throw SQLiteError(
        code: .misuse, message: "the database cannot be closed by a function that one of its statements is calling",
        path: path, origin: .misuse)
    }
    for handle in handles.values { handle.takeUnretainedValue().finalize() }
    interrupter.disarm()
    let result = sqlite3_close(pointer)
    if result != SQLITE_OK {
      // An extension's statement or the like still uses the connection; SQLite closes the connection once that use
      // ends.
      let error = failure(result, sql: nil)
      sqlite3_close_v2(pointer)
      self.pointer = nil
      throw error
    }
    self.pointer = nil
    traces?.remove()
  }

  /// Returns the pointer. Throws if the connection is closed.
  func opened(sql: String? = nil) throws(SQLiteError) -> OpaquePointer {
    guard let pointer else { throw closedError(sql: sql) }
    return pointer
  }

  func closedError(sql: String?) -> SQLiteError {
    SQLiteError(code: .misuse, message: "the database is closed", sql: sql, path: path, origin: .closed)
  }
}
