import Foundation

/// A thread for work that blocks. On a thread of the cooperative pool, it would keep other tasks waiting.
package enum OwnThread {
  /// Does work on a new thread, with a name of at most 15 bytes. If the task is cancelled, calls `cancel`, and still
  /// waits for the work to end.
  package static func run<Value: Sendable, Failure: Error>(
    _ name: String, onCancel cancel: @escaping @Sendable () -> Void,
    _ work: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let result: Result<Value, Failure> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let thread = Thread {
          // On Linux, a name that is set before the thread starts has no effect.
          Thread.current.name = name
          continuation.resume(returning: Result { () throws(Failure) in try work() })
        }
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
