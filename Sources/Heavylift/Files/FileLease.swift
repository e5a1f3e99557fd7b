import Foundation
import HeavyliftStore

/// A write lease on an open file (`F_SETLEASE`).
///
/// The system grants it only if no other process of any user has the file open. From then on, a process that opens the
/// file blocks until the lease is released, and the owner of the lease can see that a process is waiting.
final class FileLease {
  enum Refusal: Error {
    /// Another process has the file open.
    case inUse
    /// The file belongs to another user, or its file system does not support leases.
    case unavailable
  }

  // Linux constants that Swift does not import: F_SETLEASE, F_GETLEASE and F_SETSIG.
  private static let set: Int32 = 1_024
  private static let get: Int32 = 1_025
  private static let setSignal: Int32 = 10

  /// Kept open for the lifetime of the lease.
  private let file: RangeLock

  private init(_ file: RangeLock) { self.file = file }

  deinit { _ = fcntl(file.descriptor, Self.set, Int32(F_UNLCK)) }

  /// Takes a lease, which ends when the file is closed, if not earlier.
  static func take(_ file: RangeLock) -> Result<FileLease, Refusal> {
    LateClosing.closeUnshared()
    // The system reports a waiting process with a signal. The default, SIGIO, would terminate this process; SIGURG is
    // ignored.
    guard fcntl(file.descriptor, setSignal, SIGURG) == 0 else { return .failure(.unavailable) }
    guard fcntl(file.descriptor, set, Int32(F_WRLCK)) != 0 else { return .success(FileLease(file)) }
    return .failure(errno == EAGAIN ? .inUse : .unavailable)
  }

  /// True if a process is waiting for the file, or opened it because the system's lease-break time ran out.
  var isContested: Bool { fcntl(file.descriptor, Self.get) != Int32(F_WRLCK) }
}
