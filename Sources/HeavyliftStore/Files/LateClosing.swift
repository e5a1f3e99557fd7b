import Foundation
import HeavyliftConcurrency
import HeavyliftSQLite

/// Closes descriptors of a store's files, but not before SQLite has closed its own.
///
/// When a process closes any descriptor of a file, it loses all its locks on that file, including those of an app's own
/// SQLite connection (https://sqlite.org/howtocorrupt.html, 2.2).
package enum LateClosing {
  private static let waiting = Locked<[Int32]>([])

  /// Closes a descriptor as soon as the process has no other descriptor for the same file.
  package static func close(_ descriptor: Int32) {
    waiting.withLock { descriptors in
      descriptors.append(descriptor)
      closeUnshared(&descriptors)
    }
  }

  /// Closes the waiting descriptors whose files the process no longer has open through any other descriptor.
  package static func closeUnshared() { waiting.withLock { closeUnshared(&$0) } }

  private static func closeUnshared(_ descriptors: inout [Int32]) {
    if descriptors.isEmpty { return }
    // Without the pause, a connection that opens the file after this check would lose its locks.
    PausedOpening.run {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
      let others = names.compactMap { Int32($0) }.filter { !descriptors.contains($0) }
        .compactMap(FileIdentity.init(ofDescriptor:))
      descriptors.removeAll { descriptor in
        guard let file = FileIdentity(ofDescriptor: descriptor), !others.contains(where: file.isSameFile) else {
          return false
        }
        Foundation.close(descriptor)
        return true
      }
    }
  }
}
