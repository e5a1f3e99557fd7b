import Foundation
import HeavyliftStore

/// An open file on whose bytes locks are taken, in the way in which SQLite takes its own.
///
/// SQLite's locks belong to the process: whoever opens and closes the same file anywhere in it, even to read a header,
/// drops them without a word (https://sqlite.org/howtocorrupt.html, 2.2). These belong to this open file alone: they
/// shut out SQLite in every process, this one included, and last until the file is closed or its process is gone.
final class RangeLock {
  /// Where SQLite locks a database (https://sqlite.org/src/file/src/os.h).
  enum Database {
    static let pending: Int64 = 0x4000_0000
    static let reserved = pending + 1
    static let shared = pending + 2
    static let sharedSize: Int64 = 510
    static let end = shared + sharedSize
    /// All of them.
    static let count = end - pending
  }

  /// Where SQLite locks the index of a write-ahead log (https://sqlite.org/walformat.html, 2.3.1).
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

  // Linux's F_OFD_GETLK and F_OFD_SETLK, which Swift does not see.
  private static let query: Int32 = 36
  private static let set: Int32 = 37

  let url: URL
  let descriptor: Int32

  init(_ url: URL) throws {
    self.url = url
    descriptor = open(url.path, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw POSIXError(number: errno) }
  }

  deinit {
    // A process that is just being started has our files for an instant; to close our own would leave it the locks.
    var everything = Self.request(.none, 0, 0)
    _ = fcntl(descriptor, Self.set, &everything)
    close(descriptor)
  }

  func identity() throws -> FileIdentity {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw POSIXError(number: errno) }
    return FileIdentity(status)
  }

  /// Takes a lock, or lets go of it, at once or not at all; false if somebody else has one that stands against it.
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

  /// Who has a lock that stands against this one: a process, -1 where that cannot be known; nil if nobody has.
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
