/// A row of `Z_PRIMARYKEY`: an entity's number and, for a root, the highest key ever assigned.
public struct PrimaryKeyRow: Hashable, Sendable {
  /// The entity's number, `Z_ENT`.
  public var number: Int
  /// The entity's name, which may be stale after an in-place migration that renamed the entity.
  public var name: String
  /// The number of the parent, `Z_SUPER`; 0 for a root.
  public var superNumber: Int
  /// The highest key ever assigned, `Z_MAX`; 0 for an entity that is not a root.
  public var maximum: Int64

  /// The first number of Core Data's own entities for persistent history.
  static let firstHistoryNumber = 16001

  /// A Boolean value that indicates whether the row belongs to persistent history and not to the model.
  public var isHistory: Bool { number >= Self.firstHistoryNumber }
}
