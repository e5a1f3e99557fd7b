/// A source entity or property whose data a mapping does not migrate, though it does not remove the entity by name.
public struct MappingLoss: Hashable, Sendable {
  /// Why it is not migrated.
  public enum Reason: String, Hashable, Sendable, CaseIterable {
    /// No entity mapping mentions the entity. Only Xcode's mapping models may leave it at that.
    case unmentioned
    /// The mapping drops the property by name.
    case dropped
    /// The destination entity does not have the property, and nothing reads it.
    case gone
    /// The destination entity does not have the property; a policy may read it.
    case leftToPolicy = "left to policy"
  }

  /// The source entity.
  public var entity: String
  /// The attribute or relationship; nil for all objects of the entity.
  public var property: String?
  /// Why it is not migrated.
  public var reason: Reason

  /// Creates a loss.
  public init(entity: String, property: String? = nil, reason: Reason) {
    self.entity = entity
    self.property = property
    self.reason = reason
  }
}
