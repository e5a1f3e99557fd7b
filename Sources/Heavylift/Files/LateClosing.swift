import Foundation
import HeavyliftConcurrency
import HeavyliftSQLite
import HeavyliftStore

/// Closes descriptors of a store's files, but not before SQLite has closed its own.
///
/// When a process closes any descriptor of a file, it loses all its locks on that file, including those of an app's own
/// SQLite connection (https://sqlite.org/howtocorrupt.html, 2.2).
enum LateClosing {
  private static let waiting = Locked<[Int32]>([])

  /// Closes a descriptor as soon as the process has no other descriptor for the same file.
  static func close(_ descriptor: Int32) {
    waiting.withLock { descriptors in
      descriptors.append(descriptor)
      closeUnshared(&descriptors)
    }
  }

  /// Closes the waiting descriptors whose files the process no longer has open through any other descriptor.
  static func closeUnshared() { waiting.withLock { closeUnshared(&$0) } }

  private static func closeUnshared(_ descriptors: inout [Int32]) {
    if descriptors.isEmpty { return }
    // Without the pause, a connection that opens the file after this check would lose its locks.
    PausedOpening.run {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
      let others = names.compactMap { Int32($0) }.filter { !descriptors.contains($0) }.compactMap(identity)
      descriptors.removeAll { descriptor in
        guard let file = identity(descriptor), !others.contains(where: file.isSameFile) else { return false }
        Foundation.close(descriptor)
        return true
      }
    }
  }

  private static func identity(_ descriptor: Int32) -> FileIdentity? {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? FileIdentity(status) : nil
  }
}
