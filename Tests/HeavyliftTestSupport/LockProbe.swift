import Foundation

/// Shows if a process has locks on a file, this one included.
///
/// Keep it until the end of the test: closing a descriptor releases the locks.
package final class LockProbe {
  /// `F_OFD_GETLK`, to which the locks of this process are those of another.
  private static let query: Int32 = 36
  private let descriptor: Int32

  package init(_ path: String) { descriptor = open(path, O_RDONLY) }

  deinit { close(descriptor) }

  package var isLocked: Bool {
    var lock = flock()
    (lock.l_type, lock.l_whence) = (Int16(F_WRLCK), Int16(SEEK_SET))
    return fcntl(descriptor, Self.query, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
  }
}
