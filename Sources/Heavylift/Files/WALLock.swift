import Foundation
import HeavyliftSQLite
import HeavyliftStore

/// The write-ahead log of a store that a `StoreHold` has locked. The log itself is locked against writing.
final class WALLock {
  private let store: URL
  private let connection: Database
  private let index: RangeLock
  private let version: SQLiteValue?

  init(_ store: URL) throws {
    self.store = store
    let database = try Self.reporting(store) {
      let database = try Database(path: store.path, mode: .readWrite, options: .atOnce)
      try database.execute("PRAGMA query_only = ON")
      return database
    }
    connection = database
    let index = try RangeLock(store.appendingToName("-shm"))
    self.index = index
    guard try index.take(.write, from: RangeLock.SharedMemory.write, count: 1) else {
      throw IncrementalMigrationError.inUse(
        store, process: try index.holder(against: .write, from: RangeLock.SharedMemory.write, count: 1))
    }
    version = try Self.reporting(store) { try database.firstValue("PRAGMA data_version") }
  }

  /// Merges the whole log into the store's file, which SQLite syncs, and empties the log.
  func merge() throws {
    guard try FileIdentity(store.appendingToName("-wal"))?.size ?? 0 > 0 else { return }
    // Releases our lock, because SQLite itself needs it to merge. If another process writes in the meantime,
    // `data_version` changes.
    _ = try lock(.none)
    let isBusy = try Self.reporting(store) {
      try connection.firstValue("PRAGMA wal_checkpoint(TRUNCATE)") != .integer(0)
    }
    guard !isBusy, try lock(.write) else { throw try inUse() }
    let isUnchanged = try Self.reporting(store) { try connection.firstValue("PRAGMA data_version") == version }
    guard isUnchanged, try FileIdentity(store.appendingToName("-wal"))?.size == 0 else {
      throw IncrementalMigrationError.changedMeanwhile(store)
    }
  }

  /// Closes SQLite's connection and keeps the lock.
  func closeConnection() throws { try Self.reporting(store) { try connection.close() } }

  private func lock(_ kind: RangeLock.Kind) throws -> Bool {
    try index.take(kind, from: RangeLock.SharedMemory.write, count: 1)
  }

  private func inUse() throws -> IncrementalMigrationError {
    .inUse(store, process: try index.holder(against: .write, from: RangeLock.SharedMemory.write, count: 1))
  }

  /// Converts SQLite's error for a locked store into an error that says that another process is using the store.
  static func reporting<Result>(_ store: URL, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as SQLiteError where error.isBusy {
      throw IncrementalMigrationError.inUse(store, process: nil)
    }
  }
}
