import CSQLite

extension Database {
  /// When a transaction takes its locks.
  public enum TransactionKind: String, Hashable, Sendable {
    /// For reading with the first read, for writing with the first write, which may then fail.
    case deferred = "DEFERRED"
    /// For writing, at once: if another connection is writing, this is where it shows.
    case immediate = "IMMEDIATE"
    /// At once, and nobody else may read either (unless there is a write-ahead log).
    case exclusive = "EXCLUSIVE"
  }

  /// Whether a transaction is open.
  public var isInTransaction: Bool { connection.pointer.map { sqlite3_get_autocommit($0) == 0 } ?? false }

  /// Begins a transaction.
  public func begin(_ kind: TransactionKind = .immediate) throws(SQLiteError) { try run("BEGIN \(kind.rawValue)") }

  /// Makes the transaction's changes last.
  public func commit() throws(SQLiteError) { try run("COMMIT") }

  /// Takes the transaction's changes back.
  public func rollback() throws(SQLiteError) { try run("ROLLBACK") }

  /// Does all that `body` does, or nothing of it: commits afterwards, and rolls back if `body` or the commit fails.
  ///
  /// What `body` throws is what this throws. Within another transaction it is a savepoint, and `kind` does not matter.
  public func transaction<R>(_ kind: TransactionKind = .immediate, _ body: () throws -> R) throws -> R {
    let isNested = isInTransaction
    let savepoint = "heavylift_\(transactionDepth)"
    try isNested ? run("SAVEPOINT \(savepoint)") : begin(kind)
    transactionDepth += 1
    defer { transactionDepth -= 1 }
    do {
      let result = try body()
      guard isInTransaction else { throw endedEarly() }
      try isNested ? run("RELEASE \(savepoint)") : commit()
      return result
    } catch {
      takeBack(isNested ? savepoint : nil)
      throw error
    }
  }

  /// Rolls back, without a word: an error is on its way already, and SQLite itself rolls back after the grave ones.
  private func takeBack(_ savepoint: String?) {
    guard isInTransaction else { return }
    if let savepoint {
      try? run("ROLLBACK TO \(savepoint)")
      try? run("RELEASE \(savepoint)")
    } else {
      try? rollback()
    }
  }

  private func endedEarly() -> SQLiteError {
    if isClosed { return connection.closedError(sql: nil) }
    return SQLiteError(
      code: .misuse,
      message:
        "the transaction ended before its block did: the block ended it, or SQLite rolled it back after an error",
      path: path, origin: .misuse)
  }
}
