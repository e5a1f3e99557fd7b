import Foundation

/// A value that several threads share, protected by a lock that ThreadSanitizer can follow, unlike `Mutex`.
///
/// Unchecked, because the value is accessed only while the lock is held.
package final class Locked<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  package init(_ value: sending Value) { self.value = value }

  /// Calls `body` with the value while no other thread can access it.
  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    try lock.withLock { try body(&value) }
  }
}
