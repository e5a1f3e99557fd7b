import HeavyliftConcurrency
import HeavyliftSQLite

/// A condition for the keys of a table's rows.
enum KeyCondition {
  case upTo(Int64)
  case above(Int64)

  func sql(of column: String) -> String {
    switch self {
    case .upTo(let key): "\(column) <= \(key)"
    case .above(let key): "\(column) > \(key)"
    }
  }
}

/// A second connection to a store that is only read, for a second thread.
///
/// The connection sees the same snapshot as the store's own, and is opened when it is first needed.
package final class ParallelReader {
  private let store: PersistentStore
  private let detector: ChangeDetector
  private let leastRows: Int
  private let isCancelled: @Sendable () -> Bool
  private var database: Database?
  /// A statement at its first row, which keeps the snapshot open.
  private var holder: Statement?
  private var hasTried = false

  /// - Parameters:
  ///   - detector: Created before the store's own connection took its snapshot.
  ///   - leastRows: The number of rows from which on reading a table on two threads is worthwhile, judging by its keys.
  ///   - isCancelled: Interrupts statements while it returns true.
  package init(
    of store: PersistentStore, _ detector: ChangeDetector, leastRows: Int,
    isCancelled: @escaping @Sendable () -> Bool
  ) {
    (self.store, self.detector, self.leastRows, self.isCancelled) = (store, detector, leastRows, isCancelled)
  }

  deinit { close() }

  /// Closes the second connection.
  package func close() {
    holder?.reset()
    holder = nil
    try? database?.close()
    database = nil
  }

  /// Runs one piece of work on a second thread, with the second connection, and another one on this thread.
  ///
  /// - Returns: Both results; nil, without running anything, if a second connection is not possible.
  /// - Throws: The error of `first`, or else that of `second`.
  func callAsFunction<Second, First>(
    second: @escaping (Database) throws -> Second, first: () throws -> First
  ) throws -> (second: Second, first: First)? {
    guard let database = try connection() else { return nil }
    // The connection is lent to the other thread until this method returns.
    let work = ThreadedWork("Heavylift second reader") { try second(database) }
    let own = Result { try first() }
    let other = work.result()
    let result = try own.get()
    return (try other.get(), result)
  }

  /// Reads the lower half of a table's keys on this thread, and the upper half on a second thread.
  ///
  /// - Returns: Both results; nil, without reading anything, if that is not possible or not worthwhile.
  func halves<Lower, Upper>(
    of table: String, lower: (Database, KeyCondition) throws -> Lower,
    upper: @escaping (Database, KeyCondition) throws -> Upper
  ) throws -> (lower: Lower, upper: Upper)? {
    let own = store.database
    // Keys are positive, so the greatest one alone rules out most small tables.
    guard case .integer(let most)? = try own.firstValue("SELECT max(Z_PK) FROM \(SQLName(table))"), most > leastRows,
      case .integer(let least)? = try own.firstValue("SELECT min(Z_PK) FROM \(SQLName(table))"), least > 0,
      most - least >= leastRows
    else { return nil }
    let middle = least + (most - least) / 2
    let halves = try self(second: { try upper($0, .above(middle)) }, first: { try lower(own, .upTo(middle)) })
    return halves.map { ($0.first, $0.second) }
  }

  private func connection() throws -> Database? {
    if hasTried { return database }
    hasTried = true
    // Without locks, two connections can see different states.
    guard !store.database.isUnlocked else { return nil }
    let opened = try Database(
      path: store.url.path, mode: .readOnly, options: Database.Options(immutable: store.database.isImmutable))
    opened.interrupt(when: isCancelled)
    opened.nameMain(SourceAttachment.lastingName)
    let holder = try opened.prepare("SELECT name FROM sqlite_master")
    _ = try holder.step()
    guard try detector.isUnchanged() else {
      holder.reset()
      try opened.close()
      return nil
    }
    (database, self.holder) = (opened, holder)
    return opened
  }
}
