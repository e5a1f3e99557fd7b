/// How far a chain of hops is.
public struct IncrementalMigrationProgress: Hashable, Sendable {
  /// What is done at the moment.
  public enum Step: Hashable, Sendable {
    /// A hop looks through its store and decides how to carry out its mappings.
    case preparing
    /// A hop makes its store.
    case migrating(MigrationProgress)
    /// The hop's store is checked and brought to disk.
    case finishing
    /// The last hop is done, and the new store takes its place.
    case swapping
  }

  /// Which hop it is, the first is 1.
  public var hop: Int
  /// All hops of the chain.
  public var hopCount: Int
  /// `'Music 1' → 'Music 2'`.
  public var title: String
  /// What that hop does.
  public var step: Step
  /// From 0 to 1 over all hops; an estimate.
  public var fraction: Float

  /// Creates a progress.
  public init(hop: Int, hopCount: Int, title: String, step: Step, fraction: Float) {
    self.hop = hop
    self.hopCount = hopCount
    self.title = title
    self.step = step
    self.fraction = fraction
  }
}
