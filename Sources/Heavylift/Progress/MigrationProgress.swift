/// How far a migration is.
public struct MigrationProgress: Hashable, Sendable {
  /// What is done for one entity mapping after the other.
  public enum Pass: String, Hashable, Sendable, CaseIterable {
    case instances
    case relationships
    case validation
  }

  public var pass: Pass
  /// The name of the entity mapping that runs.
  public var entityMapping: String
  /// From 0 to 1 over all passes; an estimate, and 1 only when the destination is in its place.
  public var fraction: Float

  /// Creates a progress.
  public init(pass: Pass, entityMapping: String, fraction: Float) {
    self.pass = pass
    self.entityMapping = entityMapping
    self.fraction = fraction
  }
}
