/// A trigger that keeps a derived attribute.
public struct TriggerLayout: Hashable, Sendable {
  public var name: String
  public var sql: String
}
