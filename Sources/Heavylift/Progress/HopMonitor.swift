import Foundation

/// Receives the progress of a hop, and can cancel the hop.
public struct HopMonitor {
  /// Cancels the hop, and the chain with it.
  public let cancellation: MigrationCancellation
  /// The work that the chain does for the hop's migration.
  var caller = MigrationCaller()
  /// The path for the hop's provenance, as a database; `nil` for none.
  var provenance: URL?
  private let observer: (MigrationProgress) -> Void

  /// Creates a monitor.
  public init(
    cancellation: MigrationCancellation = MigrationCancellation(),
    observer: @escaping (MigrationProgress) -> Void = { _ in }
  ) {
    self.cancellation = cancellation
    self.observer = observer
  }

  /// Reports the hop's progress.
  public func report(_ progress: MigrationProgress) { observer(progress) }
}
