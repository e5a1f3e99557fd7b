import HeavyliftModel

/// The result of checking a mapping against the laws.
public struct MigrationLawReport: Hashable, Sendable, CustomStringConvertible {
  /// The versions: `'Music 1' → 'Music 2'`.
  public let title: String
  /// The seeds of the generated stores.
  public let seeds: Range<UInt64>
  /// The number of migrated stores.
  public internal(set) var stores = 0
  /// The number of objects in the migrated stores.
  public internal(set) var objects = 0
  /// The number of stores that were refused, as the options allow.
  public internal(set) var refused = 0
  /// The first violation of each broken law.
  public internal(set) var violations: [MigrationLawViolation] = []

  /// True if no law is broken, but only because no object was migrated: the result proves nothing.
  public var saysNothing: Bool { violations.isEmpty && objects == 0 }

  /// One summary line, followed by each violation.
  public var description: String {
    let refusals = refused == 0 ? "" : ", \(refused) refused"
    let outcome =
      saysNothing ? "nothing was checked" : violations.isEmpty ? "all laws hold" : "\(violations.count) broken"
    let line =
      "\(title), seeds \(seeds.lowerBound)..<\(seeds.upperBound): \(stores.counted(as: "store")) with "
      + objects.counted(as: "object")
      + "\(refusals): \(outcome)"
    return ([line] + violations.map(\.description)).joined(separator: "\n")
  }
}
