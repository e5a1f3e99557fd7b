public import HeavyliftModel

/// Options for checking a mapping against the laws.
public struct MigrationLawOptions {
  /// The laws to check.
  public var laws: Set<MigrationLaw>
  /// One store is generated from each seed; the same seed gives the same store.
  public var seeds: Range<UInt64>
  /// The maximum number of objects of each entity in a store.
  public var objectsPerEntity: Int
  /// Values for attributes that need specific ones, by `Entity.attribute`: each object gets one of them.
  public var values: [String: [Value]]
  /// True to include extreme values, such as the smallest number or a string with unusual characters.
  public var includesExtremes: Bool
  /// Returns true if a migration may refuse a store with this error, because no program would create such objects.
  public var mayRefuse: (any Error) -> Bool

  /// Creates options.
  ///
  /// - Parameters:
  ///   - seeds: The seeds of the stores.
  ///   - objectsPerEntity: The maximum number of objects of each entity.
  ///   - values: Values for attributes that need specific ones, by `Entity.attribute`.
  ///   - includesExtremes: True to include extreme values.
  ///   - exceptions: Laws to skip: for example `repeats` for a policy that records the time.
  ///   - mayRefuse: Returns true if a migration may refuse a store with this error.
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
