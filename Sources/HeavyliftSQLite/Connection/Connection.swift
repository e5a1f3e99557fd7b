import CSQLite

/// SQLite's side of a `Database`, kept alive by it and by each of its statements.
final class Connection {
  let path: String
  private(set) var pointer: OpaquePointer?
  let interrupter: Interrupter
  /// The kind of access of a file that is only read; `nil` for others.
  let access: ReadingAccess?
  private let traces: ReadingTraces?
  /// Asked while statements run whether they are to end.
  var interruptCondition: InterruptCondition?
  /// How many functions of ours SQLite is calling just now, one from within the other.
  var callDepth = 0
  /// What the function that failed last threw, until SQLite has come back with the error that stands for it.
  var functionFailure: FunctionFailure?
  /// Unretained: a handle takes itself out before it dies.
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

  /// Closes for good, statements first: one that somebody has forgotten would keep the file and its locks open, and its
  /// `-wal` beside it.
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
      // Somebody else has a part in it, such as an extension's statement: it goes when that goes.
      let error = failure(result, sql: nil)
      sqlite3_close_v2(pointer)
      self.pointer = nil
      throw error
    }
    self.pointer = nil
    traces?.remove()
  }

  /// The pointer, or the error that says that there is none any more.
  func opened(sql: String? = nil) throws(SQLiteError) -> OpaquePointer {
    guard let pointer else { throw closedError(sql: sql) }
    return pointer
  }

  func closedError(sql: String?) -> SQLiteError {
    SQLiteError(code: .misuse, message: "the database is closed", sql: sql, path: path, origin: .closed)
  }
}
