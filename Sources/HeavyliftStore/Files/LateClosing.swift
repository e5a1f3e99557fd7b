import Foundation
import HeavyliftConcurrency
import HeavyliftSQLite

/// Closes descriptors of a store's files, but not before SQLite has closed its own.
///
/// When a process closes any descriptor of a file, it loses all its locks on that file, including those of an app's own
/// SQLite connection (https://sqlite.org/howtocorrupt.html, 2.2).
package enum LateClosing {
  private struct Descriptors {
    var waiting: [Int32] = []
    /// Descriptors that are not SQLite's, and that hold no locks of the process.
    var harmless: Set<Int32> = []
  }

  private static let descriptors = Locked(Descriptors())

  /// Notes a descriptor that is not SQLite's, and that holds no locks of the process. It does not keep others of the same
  /// file waiting.
  package static func note(_ descriptor: Int32) { descriptors.withLock { _ = $0.harmless.insert(descriptor) } }

  /// Closes a descriptor as soon as the process has no other descriptor for the same file, except those that were noted.
  package static func close(_ descriptor: Int32) {
    descriptors.withLock { descriptors in
      descriptors.harmless.remove(descriptor)
      descriptors.waiting.append(descriptor)
      closeUnshared(&descriptors)
    }
  }

  /// Closes the waiting descriptors whose files the process no longer has open through any other descriptor, except those
  /// that were noted.
  package static func closeUnshared() { descriptors.withLock { closeUnshared(&$0) } }

  private static func closeUnshared(_ descriptors: inout Descriptors) {
    if descriptors.waiting.isEmpty { return }
    // Without the pause, a connection that opens the file after this check would lose its locks.
    PausedOpening.run {
      // If the process has no descriptor left for reading the list, or no '/proc', any file may be open. The descriptors
      // keep waiting.
      guard let names = try? OpenFolder(following: URL(filePath: "/proc/self/fd")).names() else { return }
      let own = descriptors.harmless.union(descriptors.waiting)
      let others = names.compactMap { Int32($0) }.filter { !own.contains($0) }
        .compactMap(FileIdentity.init(ofDescriptor:))
      descriptors.waiting.removeAll { descriptor in
        guard let file = FileIdentity(ofDescriptor: descriptor), !others.contains(where: file.isSameFile) else {
          return false
        }
        Foundation.close(descriptor)
        return true
      }
    }
  }
}
