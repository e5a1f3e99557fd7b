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

  private func inUse(_ process: Int32?) -> IncrementalMigrationError { .inUse(store, process: process) }

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
        throw IncrementalMigrationError.inUse(
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
