public import HeavyliftModel

/// How the laws of a mapping are tried, and on which stores.
public struct MigrationLawOptions {
  /// Those that are asked.
  public var laws: Set<MigrationLaw>
  /// One store is made of each; the same seed makes the same store.
  public var seeds: Range<UInt64>
  /// A store has at most so many objects of each entity.
  public var objectsPerEntity: Int
  /// What attributes are to hold whose values nobody can guess, by `Entity.attribute`: one of these each time.
  public var values: [String: [Value]]
  /// Whether attributes hold the ends of what they can, too: the least number, a text with all that is unusual in it.
  public var includesExtremes: Bool
  /// Whether a store may be refused with this error: one whose objects no program would ever have made.
  public var mayRefuse: (any Error) -> Bool

  /// Creates options.
  ///
  /// - Parameters:
  ///   - seeds: Of which the stores are made.
  ///   - objectsPerEntity: At most so many of each.
  ///   - values: What attributes are to hold whose values nobody can guess, by `Entity.attribute`.
  ///   - includesExtremes: Whether attributes hold the ends of what they can, too.
  ///   - exceptions: Laws that are not asked: of a policy that notes the time, for one, `repeats`.
  ///   - mayRefuse: Whether a store may be refused with this error.
  public init(
    seeds: Range<UInt64> = 0..<20, objectsPerEntity: Int = 4, values: [String: [Value]] = [:],
    includesExtremes: Bool = true, except exceptions: Set<MigrationLaw> = [],
    mayRefuse: @escaping (any Error) -> Bool = { _ in false }
  ) {
    laws = Set(MigrationLaw.allCases).subtracting(exceptions)
    self.seeds = seeds
    self.objectsPerEntity = objectsPerEntity
    self.values = values
    self.includesExtremes = includesExtremes
    self.mayRefuse = mayRefuse
  }
}
