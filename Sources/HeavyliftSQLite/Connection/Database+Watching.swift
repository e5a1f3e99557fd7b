import CSQLite

extension Database {
  /// Ends statements with an error that `isInterrupt` while a condition holds: the one that runs, and every later one.
  ///
  /// Unlike `interrupt()`, which ends what runs at that moment, this cannot come between two statements. The condition is
  /// asked every few milliseconds by whichever thread runs a statement.
  ///
  /// ```swift
  /// database.interrupt { cancellation.isCancelled }
  /// ```
  public func interrupt(when condition: @escaping @Sendable () -> Bool) {
    guard let pointer = connection.pointer else { return }
    let watch = InterruptCondition(condition)
    connection.interruptCondition = watch
    let context = Unmanaged.passUnretained(watch).toOpaque()
    // Enough instructions to cost nothing, few enough for a thousand questions a second.
    sqlite3_progress_handler(
      pointer, 20_000,
      { context in
        guard let context else { return 0 }
        return Unmanaged<InterruptCondition>.fromOpaque(context).takeUnretainedValue().holds() ? 1 : 0
      }, context)
  }
}

/// A condition that SQLite can ask; its connection keeps it.
final class InterruptCondition {
  let holds: @Sendable () -> Bool

  init(_ holds: @escaping @Sendable () -> Bool) { self.holds = holds }
}
