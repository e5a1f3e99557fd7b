import Foundation

/// A thread for work that blocks. On a thread of the cooperative pool, it would keep other tasks waiting.
package enum OwnThread {
  private static let mark = "heavylift own thread"

  /// True on a thread that `run` has started.
  package static var isCurrent: Bool { Thread.current.threadDictionary[mark] != nil }

  /// Does work on a new thread. If the task is cancelled, calls `cancel`, and still waits for the work to end.
  package static func run<Value: Sendable, Failure: Error>(
    _ name: String, onCancel cancel: @escaping @Sendable () -> Void,
    _ work: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let result: Result<Value, Failure> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let thread = Thread {
          Thread.current.threadDictionary[mark] = true
          continuation.resume(returning: Result { () throws(Failure) in try work() })
        }
        thread.name = name
        // Expressions and property lists of hostile files are as deep here as on the main thread.
        thread.stackSize = 8 << 20
        thread.start()
      }
    } onCancel: {
      cancel()
    }
    return try result.get()
  }
}
