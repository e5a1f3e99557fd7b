/// Receives the progress of a hop, and can cancel the hop.
public struct HopMonitor {
  /// Cancels the hop, and the chain with it.
  public let cancellation: MigrationCancellation
  /// True if the hop's source has been read from end to end without finding damage, or is being read.
  var isSourceChecked = false
  /// True if the caller syncs the hop's store to disk before it relies on it.
  var isSyncedByCaller = false
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
