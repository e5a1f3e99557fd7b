/// The progress of a migration.
public struct MigrationProgress: Hashable, Sendable {
  /// The passes. Each runs through all entity mappings, one after another.
  public enum Pass: String, Hashable, Sendable, CaseIterable {
    /// Objects are created.
    case instances
    /// Relationships are set.
    case relationships
    /// Policies validate the result.
    case validation
  }

  /// The current pass.
  public var pass: Pass
  /// The name of the entity mapping that is running.
  public var entityMapping: String
  /// An estimate of the progress over all passes, from 0 to 1. It is 1 only after the destination is in place.
  public var fraction: Float
  /// The number of objects done; an object counts once in each pass.
  public var objectsDone: Int
  /// The maximum number of objects expected; an object counts once in each pass. Filters and policies may skip some.
  public var objectsExpected: Int

  /// Creates a progress value.
  public init(
    pass: Pass, entityMapping: String, fraction: Float, objectsDone: Int = 0, objectsExpected: Int = 0
  ) {
    self.pass = pass
    self.entityMapping = entityMapping
    self.fraction = fraction
    self.objectsDone = objectsDone
    self.objectsExpected = objectsExpected
  }
}
