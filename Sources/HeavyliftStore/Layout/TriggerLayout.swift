/// A trigger that maintains a derived attribute.
public struct TriggerLayout: Hashable, Sendable {
  public var name: String
  public var sql: String
  /// The entity that declares the derived attribute.
  public var entityName: String
  public var attributeName: String
}
