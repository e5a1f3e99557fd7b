import Foundation
import HeavyliftSQLite
import HeavyliftStore

/// Exchanges a held store for the new one, at a moment at which nobody has either of them open.
///
/// SQLite finds a database's log by the database's path. A program that has opened the old store just before it is
/// renamed, and waits for its lock, would go on with the old file and the new store's log, and damage the new store. So
/// nobody may have the old file open when it loses its name:
///
/// 1. Both files are locked as SQLite locks them, so that nobody can read or write either.
/// 2. A lease on each proves that nobody has them open. From here on, whoever opens one waits in the system.
/// 3. The names are exchanged.
/// 4. A lease on the old file that is contested now tells that somebody has come in between. The names are exchanged back,
///    nothing has changed, and the program that came goes on with the store that it opened.
struct StoreExchange {
  let store: URL
  let new: URL
  /// The store's file, locked.
  let held: RangeLock
  let files: FileOperations

  /// How long a program that has looked a path up may take to open what it has found, in microseconds.
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
      // The new store can be made again. Nobody may go on with it under the old one's name.
      if self.user(of: made, leases?.made) != nil { Self.spoil(made) }
      throw inUse(user)
    }
    // The new store is in its place for good, and nothing proves that nobody waits for the old one.
    if !isBackup { Self.spoil(held) }
  }

  private func linkCount() throws -> nlink_t {
    var status = stat()
    guard fstat(held.descriptor, &status) == 0 else { throw POSIXError(number: errno) }
    return status.st_nlink
  }

  /// Returns false where names cannot be exchanged.
  private func exchange() throws -> Bool {
    do {
      try files.exchange(store, with: new)
      return true
    } catch let error as POSIXError where [.EINVAL, .ENOSYS, .EOPNOTSUPP].contains(error.code) {
      return false
    }
  }

  /// The process that has a file open, -1 where that cannot be known; nil if none has.
  private func user(of file: RangeLock, _ lease: FileLease?) -> Int32? {
    if let lease { return lease.isContested ? -1 : nil }
    guard let identity = try? file.identity() else { return -1 }
    return OpenFiles.process(having: identity, besides: [file.descriptor])
  }

  private func inUse(_ process: Int32?) -> IncrementalMigrationError { .inUse(store, process: process) }

  /// Makes SQLite refuse a file that has lost its name.
  ///
  /// The file keeps its size: SQLite deletes the log of an empty one, by its path.
  private static func spoil(_ file: RangeLock) {
    let bytes = [UInt8](repeating: 0xFF, count: 100)
    _ = pwrite(file.descriptor, bytes, bytes.count, 0)
  }

  /// Leases on both files.
  private struct Leases {
    var held: FileLease
    var made: FileLease

    /// Nil where there are no leases.
    ///
    /// - Throws: an error if somebody has the store open.
    init?(_ held: RangeLock, _ made: RangeLock, _ store: URL) throws {
      // Nobody knows of the new store. If even that one cannot be leased, no refusal says anything.
      guard case .success(let ofMade) = FileLease.take(made) else { return nil }
      switch FileLease.take(held) {
      case .success(let ofHeld): (self.held, self.made) = (ofHeld, ofMade)
      case .failure(.inUse):
        throw IncrementalMigrationError.inUse(
          store, process: OpenFiles.process(having: try held.identity(), besides: [held.descriptor]))
      case .failure: return nil
      }
    }
  }

  /// Returns true if a lease can prove that nobody has the store open. Then its file may have a second name: nobody can
  /// still write to it when it is a backup.
  static func canLease(_ held: RangeLock, _ new: URL) throws -> Bool {
    var status = stat()
    guard fstat(held.descriptor, &status) == 0 else { throw POSIXError(number: errno) }
    guard geteuid() == 0 || status.st_uid == geteuid() else { return false }
    let made = try RangeLock(new)
    if case .success = FileLease.take(made) { return true }
    return false
  }
}
