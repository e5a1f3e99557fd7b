/// Receives the progress of a hop, and can cancel the hop.
public struct HopMonitor {
  /// Cancels the hop, and the chain with it.
  public let cancellation: MigrationCancellation
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
  public func tell(_ progress: MigrationProgress) { observer(progress) }
}
