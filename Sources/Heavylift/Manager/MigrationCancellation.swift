import Synchronization

/// Ends a migration from whichever thread.
///
/// ```swift
/// let cancellation = manager.cancellation
/// Task.detached { await userPressedCancel(); cancellation.cancel() }
/// ```
public final class MigrationCancellation: Sendable {
  private let error = Mutex<(any Error)?>(nil)
  private let flag = Atomic<Bool>(false)

  /// Creates one that is not cancelled.
  public init() {}

  /// Ends the migration at the next object; the first error given is told as the reason.
  public func cancel(with error: any Error = CancellationError()) {
    self.error.withLock { if $0 == nil { $0 = error } }
    flag.store(true, ordering: .releasing)
  }

  /// Whether somebody cancelled.
  public var isCancelled: Bool { flag.load(ordering: .acquiring) }

  /// Why, if somebody cancelled.
  var reason: (any Error)? { isCancelled ? error.withLock { $0 } : nil }

  /// Allows another migration.
  func reset() {
    error.withLock { $0 = nil }
    flag.store(false, ordering: .releasing)
  }
}
