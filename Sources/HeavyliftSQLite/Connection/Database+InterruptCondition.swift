import CSQLite

extension Database {
  /// Interrupts the running statement and every later statement while a condition holds; each throws an error whose
  /// `isInterrupt` is true.
  ///
  /// Unlike `interrupt()`, which has no effect between two statements, the condition is never missed. The thread that
  /// runs a statement checks the condition every few milliseconds.
  ///
  /// ```swift
  /// database.interrupt { cancellation.isCancelled }
  /// ```
  package func interrupt(when condition: @escaping @Sendable () -> Bool) {
    guard let pointer = connection.pointer else { return }
    let interrupt = InterruptCondition(condition)
    connection.interruptCondition = interrupt
    let context = Unmanaged.passUnretained(interrupt).toOpaque()
    // Enough instructions between two checks that the checks cost next to nothing, but few enough for a thousand checks
    // per second.
    sqlite3_progress_handler(
      pointer, 20_000,
      { context in
        guard let context else { return 0 }
        return Unmanaged<InterruptCondition>.fromOpaque(context).takeUnretainedValue().holds() ? 1 : 0
      }, context)
  }
}

/// A condition that SQLite can check; the connection retains the condition.
final class InterruptCondition {
  let holds: @Sendable () -> Bool

  init(_ holds: @escaping @Sendable () -> Bool) { self.holds = holds }
}
