/// A row of `Z_PRIMARYKEY`: an entity's number, and for a root the highest key ever handed out.
public struct PrimaryKeyRow: Hashable, Sendable {
  public var number: Int
  /// May be stale after an in-place migration that renamed the entity.
  public var name: String
  public var superNumber: Int
  public var maximum: Int64

  /// Core Data's own entities for persistent history have numbers from here on.
  static let firstHistoryNumber = 16001

  /// Whether the row belongs to persistent history and not to the model.
  public var isHistory: Bool { number >= Self.firstHistoryNumber }
}
