import Foundation
import HeavyliftSQLite
import HeavyliftStore

/// A lock that only one migration of a store can hold at a time, released when its process ends.
final class MigrationLock {
  let url: URL
  private let descriptor: Int32

  /// Takes the lock. The folder of the lock file must exist.
  ///
  /// - Returns: `nil` if the folder was removed in the meantime: the previous owner has finished, and the folder must
  ///   be created again.
  /// - Throws: an error that names the process that holds the lock.
  static func take(_ url: URL, store: URL, files: FileOperations) throws -> MigrationLock? {
    while true {
      try files.interceptor?(.lock(url))
      guard let descriptor = try open(url) else { return nil }
      let lock = MigrationLock(url, descriptor)
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        guard errno == EWOULDBLOCK else { throw POSIXError(number: errno) }
        throw MigrationError.alreadyRunning(store, process: lock.owner)
      }
      // The previous owner may have removed the file after we opened it but before we locked it; then our lock is
      // worthless.
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { throw POSIXError(number: errno) }
      guard let named = try FileIdentity(url), named.isSameFile(as: FileIdentity(status)) else { continue }
      lock.sign()
      return lock
    }
  }

  /// Opens the file without following links; returns `nil` if its folder is missing.
  private static func open(_ url: URL) throws -> Int32? {
    do {
      return try OpenFolder.walking(to: url.deletingLastPathComponent()).open(url.lastPathComponent, O_RDWR | O_CREAT)
    } catch let error as POSIXError where error.code == .ENOENT {
      return nil
    }
  }

  /// The process that holds the lock, or -1 if it is unknown; `nil` if no process holds it.
  static func owner(of url: URL) -> Int32? {
    let descriptor = Glibc.open(url.path, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    let lock = MigrationLock(url, descriptor)
    guard flock(descriptor, LOCK_SH | LOCK_NB) != 0 else { return nil }
    return lock.owner ?? -1
  }

  private init(_ url: URL, _ descriptor: Int32) {
    self.url = url
    self.descriptor = descriptor
  }

  deinit {
    // A child process that is starting shares our files for a moment, and would keep the lock if we only closed our
    // descriptor.
    _ = flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  private var owner: Int32? {
    var buffer = [UInt8](repeating: 0, count: 20)
    let count = pread(descriptor, &buffer, buffer.count, 0)
    guard count > 0 else { return nil }
    return Int32(String(decoding: buffer[..<count], as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
  }

  /// Writes the owner's process ID, which is used only in a message.
  private func sign() {
    let text = Array("\(getpid())\n".utf8)
    _ = ftruncate(descriptor, 0)
    _ = pwrite(descriptor, text, text.count, 0)
  }
}

/// An open file whose bytes can be locked the way SQLite locks its own.
///
/// SQLite's locks belong to the process: if any code in it opens and closes the same file, even to read a header, the
/// locks are silently dropped (https://sqlite.org/howtocorrupt.html, 2.2). The locks taken here belong to this open
/// file only. They shut out SQLite in every process, including this one, and last until the file is closed or its
/// process ends.
final class RangeLock {
  /// The bytes that SQLite locks in a database file (https://sqlite.org/src/file/src/os.h).
  enum Database {
    static let pending: Int64 = 0x4000_0000
    static let reserved = pending + 1
    static let shared = pending + 2
    static let sharedSize: Int64 = 510
    static let end = shared + sharedSize
    /// The number of lock bytes.
    static let count = end - pending
  }

  /// The bytes that SQLite locks in the index of a write-ahead log (https://sqlite.org/walformat.html, 2.3.1).
  enum SharedMemory {
    static let write: Int64 = 120
  }

  enum Kind {
    case read, write, none

    var type: Int16 {
      switch self {
      case .read: Int16(F_RDLCK)
      case .write: Int16(F_WRLCK)
      case .none: Int16(F_UNLCK)
      }
    }
  }

  // Linux constants that Swift does not import: F_OFD_GETLK and F_OFD_SETLK.
  private static let query: Int32 = 36
  private static let set: Int32 = 37

  let url: URL
  let descriptor: Int32

  init(_ url: URL) throws {
    self.url = url
    LateClosing.closeUnshared()
    descriptor = open(url.path, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw POSIXError(number: errno) }
    LateClosing.note(descriptor)
  }

  deinit {
    // A child process that is starting shares our files for a moment, and would keep the locks if we only closed our
    // descriptor.
    var everything = Self.request(.none, 0, 0)
    _ = fcntl(descriptor, Self.set, &everything)
    LateClosing.close(descriptor)
  }

  func identity() throws -> FileIdentity {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw POSIXError(number: errno) }
    return FileIdentity(status)
  }

  /// Takes or releases a lock without waiting. Returns false if another process has a conflicting lock.
  func take(_ kind: Kind, from start: Int64, count: Int64) throws -> Bool {
    var request = Self.request(kind, start, count)
    while true {
      if fcntl(descriptor, Self.set, &request) == 0 { return true }
      switch errno {
      case EINTR: continue
      case EAGAIN, EACCES: return false
      default: throw POSIXError(number: errno)
      }
    }
  }

  /// The process with a conflicting lock, or -1 if it is unknown; `nil` if there is no such lock.
  func holder(against kind: Kind, from start: Int64, count: Int64) throws -> Int32? {
    var request = Self.request(kind, start, count)
    guard fcntl(descriptor, Self.query, &request) == 0 else { throw POSIXError(number: errno) }
    return request.l_type == Int16(F_UNLCK) ? nil : request.l_pid
  }

  private static func request(_ kind: Kind, _ start: Int64, _ count: Int64) -> flock {
    var request = flock()
    request.l_type = kind.type
    request.l_whence = Int16(SEEK_SET)
    request.l_start = off_t(start)
    request.l_len = off_t(count)
    return request
  }
}

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
      throw MigrationError.inUse(
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
      throw MigrationError.changedMeanwhile(store)
    }
  }

  /// Closes SQLite's connection and keeps the lock.
  func closeConnection() throws { try Self.reporting(store) { try connection.close() } }

  private func lock(_ kind: RangeLock.Kind) throws -> Bool {
    try index.take(kind, from: RangeLock.SharedMemory.write, count: 1)
  }

  private func inUse() throws -> MigrationError {
    .inUse(store, process: try index.holder(against: .write, from: RangeLock.SharedMemory.write, count: 1))
  }

  /// Converts SQLite's error for a locked store into an error that says that another process is using the store.
  static func reporting<Result>(_ store: URL, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as SQLiteError where error.isBusy {
      throw MigrationError.inUse(store, process: nil)
    }
  }
}

/// Distinguishes a lasting condition from a momentary one: another program may be in the middle of starting, or may
/// have a store open only briefly.
enum LastingCondition {
  /// Returns true if a condition still holds after a fiftieth of a second for each try, a tenth of a second by default;
  /// false as soon as it no longer holds.
  static func holds(tries: Int = 5, _ condition: () throws -> Bool) rethrows -> Bool {
    for _ in 0..<tries {
      guard try condition() else { return false }
      usleep(20_000)
    }
    return try condition()
  }
}
