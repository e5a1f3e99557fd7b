import Foundation

/// Work on two threads.
package enum SecondThread {
  /// Runs one piece of work on another thread, and one on this thread, and waits for both.
  ///
  /// Each needs a database connection of its own: it is lent to the other thread until this method returns.
  ///
  /// - Throws: The error of `first`, or else that of `second`.
  package static func run<Second, First>(
    _ second: @escaping () throws -> Second, beside first: () throws -> First
  ) throws -> (second: Second, first: First) {
    let work = ThreadedWork("Heavylift second thread", second)
    let own = Result { try first() }
    let other = work.result()
    let result = try own.get()
    return (try other.get(), result)
  }
}

/// Work that one thread starts and another one runs.
///
/// Unchecked, because what it uses is lent to the other thread until `result()` returns.
final class ThreadedWork<Value>: @unchecked Sendable {
  private var body: (() throws -> Value)?
  private let condition = NSCondition()
  private var outcome: Result<Value, any Error>?

  /// Starts the work.
  init(_ name: String, _ body: @escaping () throws -> Value) {
    self.body = body
    let thread = Thread { self.run() }
    thread.name = name
    thread.start()
  }

  private func run() {
    let outcome = body.map { body in Result { try body() } }
    // From here on, what the work used belongs to the first thread again.
    body = nil
    condition.withLock {
      self.outcome = outcome
      condition.broadcast()
    }
  }

  /// Waits for the work to end.
  func result() -> Result<Value, any Error> {
    condition.withLock {
      while true {
        if let outcome { return outcome }
        condition.wait()
      }
    }
  }
}
