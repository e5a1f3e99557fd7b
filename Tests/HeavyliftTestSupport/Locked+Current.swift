package import HeavyliftConcurrency

extension Locked {
  /// The value, for handlers that note what they see: they may run on another thread.
  package var current: Value {
    get { withLock { $0 } }
    set { withLock { $0 = newValue } }
  }
}
