import CSQLite
import Foundation

/// Stops what a database is doing, from any thread.
///
/// It may outlive its database; then it does nothing.
///
/// ```swift
/// let interrupter = database.interrupter
/// Task.detached { interrupter.interrupt() }
/// ```
///
/// Unchecked: the pointer is only touched under the lock, and `sqlite3_interrupt` may be called from any thread for as
/// long as the connection is open, which the lock makes sure of.
public final class Interrupter: @unchecked Sendable {
  private let lock = NSLock()
  private var connection: OpaquePointer?

  init(_ connection: OpaquePointer) { self.connection = connection }

  /// Makes the statements that are running just now end with an error that `isInterrupt`. Later ones run as ever.
  public func interrupt() {
    lock.withLock {
      if let connection { sqlite3_interrupt(connection) }
    }
  }

  /// Before the connection closes: an interrupt that is under way is waited for, a later one finds nothing.
  func disarm() { lock.withLock { connection = nil } }
}
