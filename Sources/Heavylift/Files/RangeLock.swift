import Foundation
import HeavyliftStore

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
