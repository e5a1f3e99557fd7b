/// How far a migration is.
public struct MigrationProgress: Hashable, Sendable {
  /// What is done for one entity mapping after the other.
  public enum Pass: String, Hashable, Sendable, CaseIterable {
    /// Objects are made.
    case instances
    /// Objects are connected.
    case relationships
    /// Policies look at what has become of everything.
    case validation
  }

  /// Of the three that an entity mapping has.
  public var pass: Pass
  /// The name of the entity mapping that runs.
  public var entityMapping: String
  /// From 0 to 1 over all passes; an estimate, and 1 only when the destination is in its place.
  public var fraction: Float
  /// How many objects are done, each pass counted for itself.
  public var objectsDone: Int
  /// How many there will be at most, each pass counted for itself; filters and policies may leave some out.
  public var objectsExpected: Int

  /// Creates a progress.
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
