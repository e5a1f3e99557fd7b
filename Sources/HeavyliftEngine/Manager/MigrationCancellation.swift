import HeavyliftConcurrency
import Synchronization

/// Cancels a migration from any thread.
///
/// ```swift
/// let cancellation = manager.cancellation
/// Task.detached { await userPressedCancel(); cancellation.cancel() }
/// ```
public final class MigrationCancellation: Sendable {
  private struct State {
    var error: (any Error)?
    /// Interrupts an operation that cannot poll the flag, such as a long-running SQLite statement.
    var interrupt: (@Sendable () -> Void)?
  }

  private let state = Locked(State())
  private let flag = Atomic<Bool>(false)

  /// Creates a cancellation in the uncancelled state.
  public init() {}

  /// Cancels the migration at the next object. The first error passed is reported as the reason.
  public func cancel(with error: any Error = CancellationError()) {
    let interrupt = state.withLock { state in
      if state.error == nil { state.error = error }
      return state.interrupt
    }
    flag.store(true, ordering: .releasing)
    interrupt?()
  }

  /// A Boolean value that indicates whether the migration was cancelled.
  public var isCancelled: Bool { flag.load(ordering: .acquiring) }

  /// The reason for the cancellation; `nil` if the migration was not cancelled.
  package var reason: (any Error)? { isCancelled ? state.withLock { $0.error } : nil }

  /// Returns the reason for the cancellation, unless a policy threw the error. The reason may replace the error of an
  /// interrupted operation, but not one that a policy threw.
  package func reason(for error: any Error) -> (any Error)? {
    (error as? HopError)?.code == .entityMigrationPolicy ? nil : reason
  }

  /// Throws an error if the migration was cancelled.
  ///
  /// - Parameter mapping: The name of the entity mapping that is being carried out.
  package func check(in mapping: String? = nil) throws(HopError) {
    if let reason { throw Self.error(reason, in: mapping) }
  }

  /// Returns the error of a migration that was cancelled for a reason.
  static func error(_ reason: any Error, in mapping: String? = nil) -> HopError {
    HopError(
      .cancelled, place: .init(mapping: mapping), problem: "the migration was cancelled: \(reason)",
      underlying: reason)
  }

  /// Resets the cancellation for another migration.
  public func reset() {
    state.withLock { $0.error = nil }
    flag.store(false, ordering: .releasing)
  }

  /// Runs an operation that `interrupt` can stop. If the migration was cancelled, throws the reason instead of the
  /// error that the interruption caused.
  package func interrupting<Result>(by interrupt: @escaping @Sendable () -> Void, _ body: () throws -> Result) throws
    -> Result
  {
    state.withLock { $0.interrupt = interrupt }
    defer { state.withLock { $0.interrupt = nil } }
    do {
      if let reason { throw reason }
      return try body()
    } catch {
      throw reason.map { Self.error($0) } ?? error
    }
  }
}
