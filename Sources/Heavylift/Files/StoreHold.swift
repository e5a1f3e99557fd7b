import Foundation
import HeavyliftSQLite
import HeavyliftStore

/// Locks a store against writers while it is being migrated, and against readers while it is being swapped.
///
/// The locks cover the bytes that SQLite locks, on files that this class opens itself: see `RangeLock` for why
/// `BEGIN IMMEDIATE` is not enough. A store with a write-ahead log is also kept open, so that the log's index stays
/// valid for the migration's readers.
final class StoreHold {
  let store: URL
  private let files: FileOperations
  private let file: RangeLock
  private var log: WALLock?
  private let namesBefore: Set<String>

  /// Locks a store against writing.
  ///
  /// - Throws: an error that names the process that has the store open, if there is one.
  init(_ store: URL, files: FileOperations) throws {
    self.store = store
    self.files = files
    try files.interceptor?(.lock(store))
    try Self.takeBackUnfinished(store)
    namesBefore = Set(try Self.companions.filter { try files.exists(store.appendingToName($0)) })
    file = try RangeLock(store)
    try refuseUsers()
    guard try file.take(.read, from: RangeLock.Database.shared, count: RangeLock.Database.sharedSize) else {
      throw try inUse()
    }
    if try usesLog() {
      log = try WALLock(store)
    } else if try !file.take(.write, from: RangeLock.Database.reserved, count: 1) {
      throw try inUse()
    }
  }

  deinit { release() }

  /// The files that SQLite keeps next to a database.
  static let companions = ["-wal", "-shm", "-journal"]

  /// Merges the store's log, so that everything is in one file. The store can still be read, but not written.
  func merge() throws {
    guard let log else { return }
    try files.interceptor?(.merge(store))
    try log.merge()
  }

  /// Copies the store's file. Call `merge()` first.
  func copy(to url: URL) throws { try files.copy(file.descriptor, store, to: url) }

  /// Returns true if the store's file may become the backup, under another name, once the new store is in place.
  func mayBecomeBackup(besides new: URL) throws -> Bool { try StoreExchange.canLease(file, new) }

  /// Replaces a merged store with the new one. If the file system can exchange names, the merged store gets the new
  /// store's name.
  func exchange(with new: URL) throws {
    try makeExclusive()
    try StoreExchange(store: store, new: new, held: file, files: files).run()
  }

  /// Locks the store against readers, too.
  private func makeExclusive() throws {
    // SQLite deletes the log when the last connection closes; our lock prevents that.
    try log?.closeConnection()
    try files.interceptor?(.lock(store))
    let isLocked = try LastingCondition.holds {
      try !file.take(.write, from: RangeLock.Database.pending, count: RangeLock.Database.count)
    }
    guard !isLocked else { throw try inUse() }
    try refuseUsers()
    // Locks belong to the file, not to its path. Another process may have put a different file at the path, which we
    // must not replace.
    guard try FileIdentity(store)?.isSameFile(as: file.identity()) == true,
      try (files.size(of: store.appendingToName("-wal")) ?? 0) == 0
    else { throw IncrementalMigrationError.changedMeanwhile(store) }
    // These files are empty by now. If they stayed, SQLite would take them for files of the new store.
    for suffix in Self.companions { try files.remove(store.appendingToName(suffix)) }
  }

  /// Releases the store, and removes the files that the hold created next to it.
  func release() {
    guard let log else { return }
    self.log = nil
    try? log.closeConnection()
    try? removeTraces()
  }

  private func removeTraces() throws {
    guard try FileIdentity(store)?.isSameFile(as: file.identity()) == true,
      try file.take(.write, from: RangeLock.Database.pending, count: RangeLock.Database.count)
    else { return }
    for suffix in ["-shm", "-wal"] where !namesBefore.contains(suffix) {
      let companion = store.appendingToName(suffix)
      if try suffix == "-shm" || files.size(of: companion) == 0 { unlink(companion.path) }
    }
  }

  /// Rolls back a write that a crashed process did not finish: SQLite plays back the rollback journal on the first
  /// read.
  ///
  /// Returns true if there was such a write.
  @discardableResult
  static func takeBackUnfinished(_ store: URL) throws -> Bool {
    let journal = store.appendingToName("-journal")
    guard try FileIdentity(journal)?.size ?? 0 > 0 else { return false }
    try WALLock.reporting(store) {
      let database = try Database(path: store.path, mode: .readWrite, options: .atOnce)
      _ = try database.firstValue("PRAGMA schema_version")
      try database.close()
    }
    return try FileIdentity(journal) == nil
  }

  /// True if the header has the read and write versions of WAL mode
  /// (https://sqlite.org/fileformat2.html#file_format_version_numbers), or if there is a log, which SQLite reads
  /// regardless of the header.
  private func usesLog() throws -> Bool {
    var header = [UInt8](repeating: 0, count: 20)
    let count = pread(file.descriptor, &header, header.count, 0)
    guard count >= 0 else { throw POSIXError(number: errno) }
    return header[18] == 2 || namesBefore.contains("-wal")
  }

  private func refuseUsers() throws {
    if let user = try Self.user(of: file) { throw IncrementalMigrationError.inUse(store, process: user) }
  }

  /// The process that has a store open, or -1 if it is unknown; `nil` if there is none.
  ///
  /// - Parameter byLocksAlone: True to find only processes with a lock, which is faster.
  static func user(of store: URL, byLocksAlone: Bool = false) throws -> Int32? {
    try user(of: RangeLock(store), byLocksAlone: byLocksAlone)
  }

  private static func user(of file: RangeLock, byLocksAlone: Bool = false) throws -> Int32? {
    if try LastingCondition.holds({ try holder(of: file) != nil }) { return try holder(of: file) ?? -1 }
    if byLocksAlone { return nil }
    return try OpenFiles.process(using: file)
  }

  private static func holder(of file: RangeLock) throws -> Int32? {
    try file.holder(against: .write, from: RangeLock.Database.pending, count: RangeLock.Database.count)
  }

  private func inUse() throws -> IncrementalMigrationError { .inUse(store, process: try Self.holder(of: file)) }
}

extension Database.Options {
  /// Options for failing at once instead of waiting for locks.
  static var atOnce: Self { Self(busyTimeout: 0) }
}
