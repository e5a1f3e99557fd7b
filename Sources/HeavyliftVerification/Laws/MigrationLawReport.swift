/// How a mapping stood up to its laws.
public struct MigrationLawReport: Hashable, Sendable, CustomStringConvertible {
  /// The versions: `'Music 1' → 'Music 2'`.
  public let title: String
  /// The seeds from which the stores were made.
  public let seeds: Range<UInt64>
  /// How many stores were migrated.
  public internal(set) var stores = 0
  /// How many objects these held.
  public internal(set) var objects = 0
  /// How many stores were refused, as they may be.
  public internal(set) var refused = 0
  /// Of each law that is broken, the first seed that shows it.
  public internal(set) var violations: [MigrationLawViolation] = []

  /// Whether nothing was migrated: then nothing was shown either.
  public var saysNothing: Bool { violations.isEmpty && objects == 0 }

  /// One line, and each law that is broken.
  public var description: String {
    let refusals = refused == 0 ? "" : ", \(refused) refused"
    let outcome =
      saysNothing ? "which says nothing" : violations.isEmpty ? "all laws hold" : "\(violations.count) broken"
    let line =
      "\(title), seeds \(seeds.lowerBound)..<\(seeds.upperBound): \(stores) stores with \(objects) objects"
      + "\(refusals): \(outcome)"
    return ([line] + violations.map(\.description)).joined(separator: "\n")
  }
}
