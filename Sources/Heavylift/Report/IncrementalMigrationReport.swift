public import Foundation
import HeavyliftEngine

/// The result of migrating a store to a version.
public struct IncrementalMigrationReport: Hashable, Sendable {
  /// One hop of the migration.
  public struct Hop: Hashable, Sendable {
    /// The versions of the hop: `'Music 1' → 'Music 2'`.
    public var title: String
    /// The origin of the hop's mappings.
    public var origin: MigrationHop.Origin
    /// The hop's report; `nil` if an interrupted earlier run carried it out.
    public var report: MigrationReport?
    /// The report of the hop if an interrupted earlier run carried it out; `nil` if this run carried it out.
    public var earlierReport: MigrationReport?
    /// The hop's duration in seconds.
    public var seconds: Double
    /// The changes that were made in the store itself, or in the store that the hop before has written; `nil` if the hop
    /// wrote a new store.
    public var inPlaceSteps: [InPlaceStep]?

    /// The number of objects after the hop; `nil` if they were not counted, because the hop ran in the user's store.
    public var objectCount: Int? {
      guard let report, inPlaceSteps == nil || !report.objects.isEmpty else { return nil }
      return report.objects.values.reduce(0, +)
    }
  }

  /// The store, now at the requested version.
  public var store: URL
  /// The hops in the order in which they ran; empty if there was nothing to do.
  public var hops: [Hop] = []
  /// The path of the backup; `nil` if none was requested.
  public var backup: URL?
  /// The provenance file, which maps new objects to the old ones they were created from; `nil` if you did not ask for
  /// one, or no hop was carried out.
  public var provenance: URL?
  /// True if an earlier run was interrupted after it had put the new store in place, and this run cleaned up.
  public var finishedEarlierRun = false
  /// The hops of that earlier run, which may not have been able to report them.
  public var earlierHops: [Hop] = []

  /// Creates a report without hops.
  public init(store: URL) { self.store = store }

  /// True if the store was already at the requested version.
  public var wasCurrent: Bool { hops.isEmpty && !finishedEarlierRun }
}

extension BinaryInteger {
  /// A byte count in the most readable unit: `4.2 MB`.
  package var byteText: String {
    let units = ["kB", "MB", "GB", "TB", "PB", "EB"]
    guard self >= 1000 else { return "\(self) byte\(self == 1 ? "" : "s")" }
    var value = Double(self)
    var unit = -1
    // A value of 999.5 or more would be printed as 1000.
    while value >= 999.5, unit < units.count - 1 {
      value /= 1000
      unit += 1
    }
    let tenths = Int((value * 10).rounded())
    let number = tenths < 100 ? "\(tenths / 10).\(tenths % 10)" : "\(Int(value.rounded()))"
    return "\(number) \(units[max(0, unit)])"
  }
}
