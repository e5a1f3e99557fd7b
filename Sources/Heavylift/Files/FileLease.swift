import Foundation

/// A write lease on an open file (`F_SETLEASE`).
///
/// The system gives it only to who alone has the file open, among all processes of all users. From then on whoever opens
/// the file waits until the lease is given back, and its owner can tell that somebody waits.
final class FileLease {
  enum Refusal: Error {
    /// Somebody else has the file open.
    case inUse
    /// The file is another user's, or its file system has no leases.
    case unavailable
  }

  // Linux's F_SETLEASE, F_GETLEASE and F_SETSIG, which Swift does not see.
  private static let set: Int32 = 1_024
  private static let get: Int32 = 1_025
  private static let setSignal: Int32 = 10

  /// Stays open as long as this.
  private let file: RangeLock

  private init(_ file: RangeLock) { self.file = file }

  deinit { _ = fcntl(file.descriptor, Self.set, Int32(F_UNLCK)) }

  /// Takes a lease, which lasts no longer than the file is open.
  static func take(_ file: RangeLock) -> Result<FileLease, Refusal> {
    // The signal tells of somebody who waits. The default, SIGIO, ends a process; this one is ignored.
    guard fcntl(file.descriptor, setSignal, SIGURG) == 0 else { return .failure(.unavailable) }
    guard fcntl(file.descriptor, set, Int32(F_WRLCK)) != 0 else { return .success(FileLease(file)) }
    return .failure(errno == EAGAIN ? .inUse : .unavailable)
  }

  /// True if somebody waits for the file, or has it after the system's patience was over.
  var isContested: Bool { fcntl(file.descriptor, Self.get) != Int32(F_WRLCK) }
}
