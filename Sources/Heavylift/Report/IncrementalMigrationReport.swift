public import Foundation

/// What was done to bring a store to a version.
public struct IncrementalMigrationReport: Hashable, Sendable {
  /// One hop.
  public struct Hop: Hashable, Sendable {
    /// `'Music 1' → 'Music 2'`.
    public var title: String
    /// Where its mappings came from.
    public var origin: MigrationHop.Origin
    /// What it did; nil if an earlier run did it, which was ended before it was done with the rest.
    public var report: MigrationReport?
    /// How long it took; of hops that were read through, the one behind them has the time of all.
    public var seconds: Double
    /// Whether the next hop read through it, so that its store was not written.
    public var wasReadThrough = false
    /// Why its store was written and not fused with the next hop; nil if it was fused, or an earlier run did it.
    public var reasonToWrite: String?

    /// How many objects its store holds.
    public var objectCount: Int? { report?.objects.values.reduce(0, +) }
  }

  /// The store that is of the wanted version now.
  public var store: URL
  /// In the order in which they ran; none if nothing was to be done.
  public var hops: [Hop] = []
  /// Where the old store is.
  public var backup: URL?
  /// Where it was left which objects came of which; nil if that was not asked for, or no hop was carried out.
  public var provenance: URL?
  /// Whether an earlier run was ended after the new store was in its place, and only its leavings were left to do.
  public var finishedEarlierRun = false

  /// Creates a report of nothing.
  public init(store: URL) { self.store = store }

  /// Whether the store was of the wanted version already.
  public var wasCurrent: Bool { hops.isEmpty && !finishedEarlierRun }
}
