import Foundation
import HeavyliftSQLite
import HeavyliftStore

/// Keeps everybody from writing to a store while it is migrated, and from reading it while it is swapped.
///
/// Locks stand where SQLite's stand, on open files of ours: see `RangeLock` for why `BEGIN IMMEDIATE` would not do.
/// A store with a write-ahead log is also kept open, so that its index stays valid for the readers of the migration.
final class StoreHold {
  let store: URL
  private let files: FileOperations
  private let file: RangeLock
  private var log: HeldLog?
  private let namesBefore: Set<String>

  /// Locks a store against writing.
  ///
  /// - Throws: an error that names the process, if somebody has it open.
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
      log = try HeldLog(store)
    } else if try !file.take(.write, from: RangeLock.Database.reserved, count: 1) {
      throw try inUse()
    }
  }

  deinit { release() }

  /// The files that SQLite keeps beside a database.
  static let companions = ["-wal", "-shm", "-journal"]

  /// Leaves the store in one file: all that is in its log is merged. It can still be read, and not be written.
  func merge() throws {
    guard let log else { return }
    try files.interceptor?(.merge(store))
    try log.merge()
  }

  /// Copies the file of a merged store.
  func copy(to url: URL) throws { try files.copy(file.descriptor, store, to: url) }

  /// Returns true if the store's file may become a backup under another name when the new one is in its place.
  func mayBecomeBackup(besides new: URL) throws -> Bool { try StoreExchange.canLease(file, new) }

  /// Puts the new store in the place of a merged one, which gets the new one's name if that is possible.
  func exchange(with new: URL) throws {
    try makeExclusive()
    try StoreExchange(store: store, new: new, held: file, files: files).run()
  }

  /// Shuts out readers, too.
  private func makeExclusive() throws {
    // The last connection that closes would clear the log away, if it could: our lock stands against it.
    try log?.closeConnection()
    try files.interceptor?(.lock(store))
    guard try file.take(.write, from: RangeLock.Database.pending, count: RangeLock.Database.count) else {
      throw try inUse()
    }
    try refuseUsers()
    // Locks go with the file. Somebody may have put another one in its place, and that is not ours to replace.
    guard try FileIdentity(store)?.isSameFile(as: file.identity()) == true,
      try (files.size(of: store.appendingToName("-wal")) ?? 0) == 0
    else { throw IncrementalMigrationError.changedMeanwhile(store) }
    // Empty by now; beside the new store they would be another's.
    for suffix in Self.companions { try files.remove(store.appendingToName(suffix)) }
  }

  /// Lets go of the store, and clears away what holding it has left beside it.
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

  /// A journal that a crashed process has left is undone by SQLite with the first read.
  ///
  /// True if there was one.
  @discardableResult
  static func takeBackUnfinished(_ store: URL) throws -> Bool {
    let journal = store.appendingToName("-journal")
    guard try FileIdentity(journal)?.size ?? 0 > 0 else { return false }
    try HeldLog.reporting(store) {
      let database = try Database(path: store.path, mode: .readWrite, options: .atOnce)
      _ = try database.firstValue("PRAGMA schema_version")
      try database.close()
    }
    return try FileIdentity(journal) == nil
  }

  /// The header's read and write versions (https://sqlite.org/fileformat2.html#file_format_version_numbers), or a log
  /// that lies there: SQLite reads it whatever the header says.
  private func usesLog() throws -> Bool {
    var header = [UInt8](repeating: 0, count: 20)
    let count = pread(file.descriptor, &header, header.count, 0)
    guard count >= 0 else { throw POSIXError(number: errno) }
    return header[18] == 2 || namesBefore.contains("-wal")
  }

  private func refuseUsers() throws {
    if let user = try Self.user(of: file) { throw IncrementalMigrationError.inUse(store, process: user) }
  }

  /// The process that has a store open, -1 where that cannot be known; nil if none has.
  static func user(of store: URL) throws -> Int32? { try user(of: RangeLock(store)) }

  private static func user(of file: RangeLock) throws -> Int32? {
    let holder = try file.holder(
      against: .write, from: RangeLock.Database.pending, count: RangeLock.Database.count)
    if let holder { return holder }
    return OpenFiles.process(having: try file.identity(), besides: [file.descriptor])
  }

  private func inUse() throws -> IncrementalMigrationError {
    .inUse(
      store,
      process: try file.holder(against: .write, from: RangeLock.Database.pending, count: RangeLock.Database.count))
  }
}

extension Database.Options {
  /// Waits for nobody.
  static var atOnce: Self { Self(busyTimeout: 0) }
}
