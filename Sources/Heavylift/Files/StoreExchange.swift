import Foundation
import HeavyliftSQLite
import HeavyliftStore

/// Exchanges a locked store for the new one at a moment when no process has either of them open.
///
/// SQLite finds a database's log by the database's path. A program that opened the old store just before the rename,
/// and is waiting for its lock, would continue with the old file and the new store's log, and damage the new store. So
/// no process may have the old file open when the file loses its name:
///
/// 1. Both files are locked the way SQLite locks them, so that no connection can read or write either.
/// 2. A lease on each file proves that no other process has it open. From then on, a process that opens it blocks.
/// 3. The names are exchanged.
/// 4. If the lease on the old file is contested now, a process got in between. The names are exchanged back, nothing
///    has changed, and the process continues with the store that it opened.
struct StoreExchange {
  let store: URL
  let new: URL
  /// The store's file, locked.
  let held: RangeLock
  let files: FileOperations

  /// The time in microseconds that a program may need between looking up a path and opening the file.
  private static let settling: UInt32 = 2_000

  func run() throws {
    let made = try RangeLock(new)
    guard try made.take(.write, from: RangeLock.Database.pending, count: RangeLock.Database.count) else {
      throw inUse(nil)
    }
    let leases = try Leases(held, made, store)
    defer { withExtendedLifetime((made, leases)) {} }
    let isBackup = try linkCount() > 1
    let canReturn = try exchange()
    if !canReturn { try files.replace(store, by: new) }
    usleep(Self.settling)
    let user = user(of: held, leases?.held)
    if user == nil, leases != nil { return }
    if let user, canReturn, (try? files.exchange(store, with: new)) != nil {
      // The new store can be created again, but a process that opened it must not keep using it instead of the old one.
      if self.user(of: made, leases?.made) != nil { Self.spoil(made) }
      throw inUse(user)
    }
    // The new store is in place for good, but a process may still be waiting to open the old one.
    if !isBackup { Self.spoil(held) }
  }

  private func linkCount() throws -> nlink_t {
    var status = stat()
    guard fstat(held.descriptor, &status) == 0 else { throw POSIXError(number: errno) }
    return status.st_nlink
  }

  /// Returns false if the file system cannot exchange names.
  private func exchange() throws -> Bool {
    do {
      try files.exchange(store, with: new)
      return true
    } catch let error as POSIXError where [.EINVAL, .ENOSYS, .EOPNOTSUPP].contains(error.code) {
      return false
    }
  }

  /// The process that has a file open, or -1 if it is unknown; `nil` if there is none.
  private func user(of file: RangeLock, _ lease: FileLease?) -> Int32? {
    if let lease { return lease.isContested ? -1 : nil }
    do {
      return try OpenFiles.process(using: file)
    } catch {
      return -1
    }
  }

  private func inUse(_ process: Int32?) -> MigrationError { .inUse(store, process: process) }

  /// Overwrites the header of a file that has lost its name, so that SQLite rejects the file.
  ///
  /// The file is not truncated: SQLite deletes the log of an empty file, and would delete the other store's, because it
  /// finds a log by the file's path.
  private static func spoil(_ file: RangeLock) {
    let bytes = [UInt8](repeating: 0xFF, count: 100)
    _ = pwrite(file.descriptor, bytes, bytes.count, 0)
  }

  /// Leases on both files.
  private struct Leases {
    var held: FileLease
    var made: FileLease

    /// Returns `nil` if the system cannot grant leases on these files.
    ///
    /// - Throws: an error if another process has the store open.
    init?(_ held: RangeLock, _ made: RangeLock, _ store: URL) throws {
      // No other process knows about the new store. If even that store cannot be leased, a refused lease proves
      // nothing.
      guard case .success(let ofMade) = FileLease.take(made) else { return nil }
      switch FileLease.take(held) {
      case .success(let ofHeld): (self.held, self.made) = (ofHeld, ofMade)
      case .failure(.inUse):
        throw MigrationError.inUse(
          store, process: (try? OpenFiles.process(using: held)) ?? nil)
      case .failure: return nil
      }
    }
  }

  /// Returns true if a lease can prove that no process has the store open. The store's file may then get a second name,
  /// because no process can still write to it once it is the backup.
  static func canLease(_ held: RangeLock, _ new: URL) throws -> Bool {
    var status = stat()
    guard fstat(held.descriptor, &status) == 0 else { throw POSIXError(number: errno) }
    guard geteuid() == 0 || status.st_uid == geteuid() else { return false }
    let made = try RangeLock(new)
    if case .success = FileLease.take(made) { return true }
    return false
  }
}

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
    else { throw MigrationError.changedMeanwhile(store) }
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
    if let user = try Self.user(of: file) { throw MigrationError.inUse(store, process: user) }
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

  private func inUse() throws -> MigrationError { .inUse(store, process: try Self.holder(of: file)) }
}

extension Database.Options {
  /// Options for failing at once instead of waiting for locks.
  static var atOnce: Self { Self(busyTimeout: 0) }
}
