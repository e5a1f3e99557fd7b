import HeavyliftModel

/// Where the objects of one entity are stored, inherited properties included.
public struct EntityLayout: Hashable, Sendable {
  public var name: String
  /// `Z_ENT` of the entity's rows.
  public var number: Int
  /// `Z_ENT` of the parent, 0 for a root.
  public var superNumber: Int
  /// The top of the hierarchy; its row in `Z_PRIMARYKEY` counts the keys.
  public var rootNumber: Int
  public var tableName: String
  /// The entity itself and all that inherit from it.
  public var numbersWithSubentities: [Int]
  public var attributes: [AttributeColumn]
  public var toOnes: [ToOneColumn]
  /// The columns that name the object's owner in a to-many relationship without an inverse, each named after the owner's
  /// entity and relationship: `Cart.items`.
  public var ownerColumns: [ToOneColumn]
  public var toManys: [ToManyStorage]
}

/// The column, or for a composite the columns, of one attribute.
public struct AttributeColumn: Hashable, Sendable {
  public var name: String
  public var type: AttributeType
  public var column: String
  public var allowsExternalBinaryDataStorage: Bool
  /// Whether triggers or Core Data compute the column.
  public var isDerived: Bool
  /// For a composite: a column an element.
  public var elements: [AttributeColumn]
}

extension AttributeColumn {
  /// Whether the first byte of a value says if it is stored here or in a file.
  var mayBeExternal: Bool { allowsExternalBinaryDataStorage && (type == .binaryData || type == .transformable) }
}

/// The columns of a to-one relationship.
public struct ToOneColumn: Hashable, Sendable {
  public var name: String
  /// The target's `Z_PK`.
  public var column: String
  /// The target's `Z_ENT`, where the destination entity has sub-entities.
  public var entityColumn: String?
  /// The place among the objects of an ordered inverse.
  public var orderColumn: String?
  public var destinationEntityName: String
  public var destinationTableName: String
}

/// Where the links of a to-many relationship are stored.
public struct ToManyStorage: Hashable, Sendable {
  /// In which kind of table.
  public enum Kind: Hashable, Sendable {
    /// Each target's row names its owner, also for a to-many without an inverse.
    case foreignKey
    /// A row a link.
    case joinTable
  }

  public var name: String
  public var kind: Kind
  public var tableName: String
  /// Holds the owner's `Z_PK`.
  public var ownerColumn: String
  /// Holds the target's `Z_PK`.
  public var targetColumn: String
  /// Sorts the targets of one owner, for an ordered relationship.
  public var orderColumn: String?
  public var destinationEntityName: String
  public var destinationTableName: String
  /// Whether this side writes the join table's rows; the other side of the pair does not.
  public var writesLinks: Bool
  /// Whether the relationship is its own inverse, so that each link is stored in both directions.
  public var isReflexive: Bool
}
