import CSQLite

extension Database {
  /// The point at which a transaction takes its locks.
  package enum TransactionKind: String, Hashable, Sendable {
    /// A read lock at the first read, and a write lock at the first write, which may then fail.
    case deferred = "DEFERRED"
    /// A write lock at the beginning: if another connection is writing, `begin` fails.
    case immediate = "IMMEDIATE"
    /// A write lock at the beginning. Without a write-ahead log, it also keeps other connections from reading.
    case exclusive = "EXCLUSIVE"
  }

  /// A Boolean value that indicates whether a transaction is open.
  package var isInTransaction: Bool { connection.pointer.map { sqlite3_get_autocommit($0) == 0 } ?? false }

  /// Begins a transaction.
  package func begin(_ kind: TransactionKind = .immediate) throws(SQLiteError) { try run("BEGIN \(kind.rawValue)") }

  /// Commits the transaction.
  package func commit() throws(SQLiteError) { try run("COMMIT") }

  /// Rolls the transaction back.
  package func rollback() throws(SQLiteError) { try run("ROLLBACK") }

  /// Runs `body` in a transaction: commits afterwards, and rolls back if `body` or the commit fails.
  ///
  /// Rethrows the errors of `body`. Inside another transaction, uses a savepoint and ignores `kind`.
  package func transaction<R>(_ kind: TransactionKind = .immediate, _ body: () throws -> R) throws -> R {
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

  /// Rolls back and ignores errors from doing so: another error is already being thrown, and SQLite itself rolls back
  /// after severe errors.
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
