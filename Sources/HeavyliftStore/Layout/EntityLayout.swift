import HeavyliftModel

/// The tables and columns of one entity, including inherited properties.
package struct EntityLayout: Hashable, Sendable {
  /// The entity's name.
  package var name: String
  /// `Z_ENT` of the entity's rows.
  package var number: Int
  /// `Z_ENT` of the parent; 0 for a root.
  package var superNumber: Int
  /// `Z_ENT` of the hierarchy's root, whose row in `Z_PRIMARYKEY` holds the highest key.
  package var rootNumber: Int
  /// The hierarchy's table, such as `ZBOOK`, which all sub-entities share.
  package var tableName: String
  /// `Z_ENT` of the entity itself and of all its descendants.
  package var numbersWithSubentities: [Int]
  /// The columns of attributes that are not transient.
  package var attributes: [AttributeColumn]
  /// The columns of to-one relationships.
  package var toOnes: [ToOneColumn]
  /// The columns for the object's owner in to-many relationships without an inverse, each named after the owner's
  /// entity and relationship: `Cart.items`.
  package var ownerColumns: [ToOneColumn]
  /// The places where the links of to-many relationships are stored.
  package var toManys: [ToManyStorage]

  /// True if no other entity has rows in the table. There, `Z_ENT` decides nothing and is not looked at, so that a row
  /// with another number is read like every other.
  var ownsTable: Bool { superNumber == 0 && numbersWithSubentities.count <= 1 }

  /// Returns SQL for the entity number of a row in the entity's table.
  package func numberSQL(_ alias: String? = nil) -> String {
    ownsTable ? "\(number)" : alias.map { "\($0).Z_ENT" } ?? "Z_ENT"
  }

  /// Returns SQL for a column of a row in the entity's table.
  func columnSQL(_ name: String, _ alias: String? = nil) -> String {
    if name == "Z_ENT" { return numberSQL(alias) }
    return (alias.map { "\($0)." } ?? "") + SQLName(name).description
  }

  /// The columns of the entity's own and inherited properties.
  package var columnNames: [String] { attributes.flatMap(\.leafColumns) + (toOnes + ownerColumns).flatMap(\.columns) }

  func hasColumn(_ name: String) -> Bool { columnNames.contains { $0.uppercased() == name.uppercased() } }
}

/// The column of one attribute or, for a composite, the columns.
package struct AttributeColumn: Hashable, Sendable {
  /// The attribute's name.
  package var name: String
  /// The attribute's type.
  package var type: AttributeType
  /// The column, such as `ZTITLE`.
  package var column: String
  /// A Boolean value that indicates whether large values may be in files next to the store.
  package var allowsExternalBinaryDataStorage: Bool
  /// A Boolean value that indicates whether triggers or Core Data compute the column from other values. A time of saving
  /// (`now()`) cannot be computed again, so it is treated like a stored value.
  package var isDerived: Bool
  /// For a composite, one column per element.
  package var elements: [AttributeColumn]
}

extension AttributeColumn {
  /// True if the first byte of a value shows whether the value is stored in the row or in a file.
  package var mayBeExternal: Bool { allowsExternalBinaryDataStorage && (type == .binaryData || type == .transformable) }
}

/// The columns of a to-one relationship.
package struct ToOneColumn: Hashable, Sendable {
  /// The relationship's name.
  package var name: String
  /// The target's `Z_PK`.
  package var column: String
  /// The target's `Z_ENT`, if the destination entity has sub-entities.
  package var entityColumn: String?
  /// The position among the targets of an ordered inverse.
  package var orderColumn: String?
  /// The destination entity in the model; a target can be one of its sub-entities.
  package var destinationEntityName: String
  /// The table of the targets.
  package var destinationTableName: String

  /// All columns of the relationship.
  var columns: [String] { [column, entityColumn, orderColumn].compactMap(\.self) }
}

/// The storage of a to-many relationship's links.
package struct ToManyStorage: Hashable, Sendable {
  /// The kind of table that stores the links.
  package enum Kind: Hashable, Sendable {
    /// Each target's row names its owner, even for a to-many without an inverse.
    case foreignKey
    /// One row per link.
    case joinTable
  }

  /// The relationship's name.
  package var name: String
  /// The kind of table that stores the links.
  package var kind: Kind
  /// The join table, or the targets' table.
  package var tableName: String
  /// The column with the owner's `Z_PK`.
  package var ownerColumn: String
  /// The column with the target's `Z_PK`.
  package var targetColumn: String
  /// The column that sorts an owner's targets, for an ordered relationship.
  package var orderColumn: String?
  /// The destination entity in the model; a target can be one of its sub-entities.
  package var destinationEntityName: String
  /// The table of the targets.
  package var destinationTableName: String
  /// A Boolean value that indicates whether this side, rather than the other, writes the join table's rows.
  package var writesLinks: Bool
  /// A Boolean value that indicates whether the relationship is its own inverse, so that each link is stored in both
  /// directions.
  package var isReflexive: Bool
}
