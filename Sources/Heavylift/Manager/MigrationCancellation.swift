import Synchronization

/// Ends a migration from whichever thread.
///
/// ```swift
/// let cancellation = manager.cancellation
/// Task.detached { await userPressedCancel(); cancellation.cancel() }
/// ```
public final class MigrationCancellation: Sendable {
  private struct State {
    var error: (any Error)?
    /// Ends what cannot look at the flag, such as a statement of SQLite's that runs long.
    var interrupt: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())
  private let flag = Atomic<Bool>(false)

  /// Creates one that is not cancelled.
  public init() {}

  /// Ends the migration at the next object; the first error given is told as the reason.
  public func cancel(with error: any Error = CancellationError()) {
    let interrupt = state.withLock { state in
      if state.error == nil { state.error = error }
      return state.interrupt
    }
    flag.store(true, ordering: .releasing)
    interrupt?()
  }

  /// Whether somebody cancelled.
  public var isCancelled: Bool { flag.load(ordering: .acquiring) }

  /// Why, if somebody cancelled.
  var reason: (any Error)? { isCancelled ? state.withLock { $0.error } : nil }

  /// Why, where an error can come of that: anything that was interrupted fails in its own words, but what a policy throws
  /// is its author's.
  func reason(for error: any Error) -> (any Error)? {
    (error as? MigrationError)?.code == .entityMigrationPolicy ? nil : reason
  }

  /// Allows another migration.
  public func reset() {
    state.withLock { $0.error = nil }
    flag.store(false, ordering: .releasing)
  }

  /// Runs something that is ended by a call; whoever is cancelled gets the reason and not what the call caused.
  func interrupting<Result>(by interrupt: @escaping @Sendable () -> Void, _ body: () throws -> Result) throws -> Result
  {
    state.withLock { $0.interrupt = interrupt }
    defer { state.withLock { $0.interrupt = nil } }
    do {
      if let reason { throw reason }
      return try body()
    } catch {
      throw reason.map { MigrationError(.cancelled, problem: "the migration was cancelled: \($0)", underlying: $0) }
        ?? error
    }
  }
}
