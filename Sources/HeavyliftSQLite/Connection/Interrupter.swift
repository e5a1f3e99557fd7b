import CSQLite
import Foundation

/// Stops a database's running statements from any thread.
///
/// An interrupter may outlive its database; then it does nothing.
///
/// ```swift
/// let interrupter = database.interrupter
/// Task.detached { interrupter.interrupt() }
/// ```
///
/// Unchecked: the pointer is only accessed under the lock, and `sqlite3_interrupt` may be called from any thread
/// while the connection is open, which the lock guarantees.
package final class Interrupter: @unchecked Sendable {
  private let lock = NSLock()
  private var connection: OpaquePointer?

  init(_ connection: OpaquePointer) { self.connection = connection }

  /// Makes the currently running statements end with an error whose `isInterrupt` is true. Later statements are not
  /// affected.
  package func interrupt() {
    lock.withLock {
      if let connection { sqlite3_interrupt(connection) }
    }
  }

  /// Called before the connection closes: waits for an interrupt in progress, and disables later interrupts.
  func disarm() { lock.withLock { connection = nil } }
}
