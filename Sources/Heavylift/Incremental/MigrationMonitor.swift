public import Foundation
import HeavyliftEngine

/// Observes a migration from any thread, and can cancel it.
///
/// ```swift
/// let monitor = MigrationMonitor { print($0.title, $0.fraction) }
/// cancelButton.action = { monitor.cancel() }
/// try await manager.migrate(store, monitor: monitor)
/// ```
///
/// Use a new monitor for each migration. A monitor that was cancelled cancels any migration that it is passed to.
public final class MigrationMonitor: Sendable {
  /// Cancels the migration; the old store then stays in place.
  package let cancellation: MigrationCancellation
  private let reporter: ProgressReporter<IncrementalMigrationProgress>

  /// Creates a monitor.
  ///
  /// - Parameter observer: Called with each event, on the thread on which the migration runs, which waits for it.
  public convenience init(_ observer: (@Sendable (IncrementalMigrationProgress) -> Void)? = nil) {
    self.init(MigrationCancellation(), observer)
  }

  /// - Parameter cancellation: Cancels the migration, which the observer may do, too.
  package init(
    _ cancellation: MigrationCancellation, _ observer: (@Sendable (IncrementalMigrationProgress) -> Void)? = nil
  ) {
    self.cancellation = cancellation
    reporter = ProgressReporter(cancellation, observer: observer)
  }

  /// The progress as a Foundation object, in hundredths; cancelling it cancels the migration.
  public var progress: Progress { reporter.progress }

  /// Returns a stream of the events from now on, for another task; it ends with the migration.
  ///
  /// ```swift
  /// let events = monitor.events()
  /// Task { for await event in events { bar.value = event.fraction } }
  /// try await manager.migrate(store, monitor: monitor)
  /// ```
  ///
  /// A slow reader gets only the newest events: the migration does not wait for it.
  public func events() -> AsyncStream<IncrementalMigrationProgress> { reporter.makeStream() }

  /// Cancels the migration, which ends soon, with the old store in place.
  ///
  /// - Parameter error: The reason, which becomes the underlying error of the one that the migration throws.
  public func cancel(with error: any Error = CancellationError()) { cancellation.cancel(with: error) }

  /// True if the migration was cancelled.
  public var isCancelled: Bool { cancellation.isCancelled || progress.isCancelled }

  func report(_ event: IncrementalMigrationProgress) { reporter.report(event, fraction: min(0.99, event.fraction)) }

  /// The migration has ended, but there are things to do before its caller learns of it.
  func complete() { reporter.progress.completedUnitCount = 100 }

  /// Ends the streams.
  func finish() { reporter.finish() }

  /// The reason for the cancellation, also of the task or the progress; `nil` if the migration was not cancelled.
  var reason: (any Error)? {
    if Task.isCancelled || progress.isCancelled { cancellation.cancel() }
    return cancellation.reason
  }
}

/// Receives the progress of a hop, and can cancel the hop.
package struct HopMonitor {
  /// Cancels the hop, and the chain with it.
  package let cancellation: MigrationCancellation
  /// The work that the chain does for the hop's migration.
  var caller = MigrationCaller()
  /// The path for the hop's provenance, as a database; `nil` for none.
  var provenance: URL?
  /// Called with the plan of the hop, when it is made.
  var planned: ((MigrationPlan) -> Void)?
  private let observer: (MigrationProgress) -> Void

  /// Creates a monitor.
  package init(
    cancellation: MigrationCancellation = MigrationCancellation(),
    observer: @escaping (MigrationProgress) -> Void = { _ in }
  ) {
    self.cancellation = cancellation
    self.observer = observer
  }

  /// Reports the hop's progress.
  package func report(_ progress: MigrationProgress) { observer(progress) }
}
