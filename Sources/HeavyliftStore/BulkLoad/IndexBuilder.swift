import HeavyliftConcurrency
import HeavyliftSQLite

/// Creates the indexes of a store under construction on a thread of its own.
///
/// The connection belongs to that thread until `stop()` or `finish()` returns. `PersistentStore.database` makes sure
/// that no other code uses it in the meantime.
final class IndexBuilder {
  private let isStopped: Locked<Bool>
  private let work: ThreadedWork<Int>

  /// - Parameter statements: The statements that create the indexes.
  init(_ database: Database, _ statements: [String]) {
    let isStopped = Locked(false)
    self.isStopped = isStopped
    work = ThreadedWork("Heavylift index builder") {
      for (count, statement) in statements.enumerated() {
        if isStopped.withLock({ $0 }) { return count }
        try database.transaction(.immediate) { try database.execute(statement) }
      }
      return statements.count
    }
  }

  /// Waits until all indexes are created.
  ///
  /// - Returns: Their number.
  func finish() throws -> Int { try work.result().get() }

  /// Waits for the index that is being created, and creates no more.
  ///
  /// - Returns: The number of created indexes.
  func stop() throws -> Int {
    isStopped.withLock { $0 = true }
    return try work.result().get()
  }
}
