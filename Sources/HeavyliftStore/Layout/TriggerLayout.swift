/// A trigger that maintains a derived attribute.
public struct TriggerLayout: Hashable, Sendable {
  /// The trigger's name.
  public var name: String
  /// The statement that creates the trigger.
  public var sql: String
  /// The entity that declares the derived attribute.
  public var entityName: String
  /// The derived attribute.
  public var attributeName: String
}
