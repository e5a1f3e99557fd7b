/// What a hop tells while it runs, and how it hears that it is to end.
public struct HopMonitor {
  /// Ends the hop, and the chain with it.
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

  /// Tells how far the hop is.
  public func tell(_ progress: MigrationProgress) { observer(progress) }
}
