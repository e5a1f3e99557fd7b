import Foundation

/// Work that one thread starts and another one runs.
///
/// Unchecked, because what it uses is lent to the other thread until `result()` returns.
package final class ThreadedWork<Value>: @unchecked Sendable {
  private var body: (() throws -> Value)?
  private let condition = NSCondition()
  private var outcome: Result<Value, any Error>?

  /// Starts the work.
  package init(_ name: String, _ body: @escaping () throws -> Value) {
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
  package func result() -> Result<Value, any Error> {
    condition.withLock {
      while true {
        if let outcome { return outcome }
        condition.wait()
      }
    }
  }
}
