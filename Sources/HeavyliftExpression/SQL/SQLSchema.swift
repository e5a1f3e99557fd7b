/// The locations of entities and properties in a store, as needed for a translation.
package protocol SQLSchema {
  /// Returns the entity with that name, if it is stored.
  func entity(named name: String) -> SQLEntity?

  /// Returns where a property of an entity is stored; nil if the entity has no such property.
  func property(_ name: String, of entity: String) -> SQLProperty?

  /// Returns the key of an object in an expression; nil if it is not a saved object of this store.
  func key(of object: any ExpressionObject) -> SQLObjectKey?
}

extension SQLSchema {
  /// Returns `nil`: no object is known.
  package func key(of object: any ExpressionObject) -> SQLObjectKey? { nil }
}

/// The identity of an object in the store.
package struct SQLObjectKey: Hashable, Sendable {
  package var entity: String
  package var key: Int64

  /// Creates a key.
  package init(entity: String, key: Int64) {
    self.entity = entity
    self.key = key
  }
}

/// The table and the key column of an entity.
package struct SQLEntity: Hashable, Sendable {
  package var table: String
  package var keyColumn: String
  /// The name of the attached database; nil if the table name is enough.
  package var database: String?

  /// Creates an entity. If several entities share a table, no two of their objects may have the same key.
  package init(table: String, keyColumn: String = "Z_PK", database: String? = nil) {
    self.table = table
    self.database = database
    self.keyColumn = keyColumn
  }
}

/// The location of a property in a store.
package enum SQLProperty: Hashable, Sendable {
  /// An attribute of that kind.
  case column(String, SQLKind)
  /// A composite attribute, whose elements have their own columns: each is a column or another composite.
  indirect case composite([String: SQLProperty])
  /// The key of a to-one relationship's target.
  case toOne(column: String, destination: String)
  case toMany(SQLToMany)
  /// A property that is not in a column that SQL can read, with the reason.
  case unavailable(String)
}

/// The location of a to-many relationship's links in a store.
package struct SQLToMany: Hashable, Sendable {
  package var table: String
  /// The column with the owner's key.
  package var ownerColumn: String
  /// The column with the target's key.
  package var targetColumn: String
  package var destination: String
  /// True if the table has one row per link rather than the targets themselves.
  package var isJoinTable: Bool
  /// The name of the attached database; nil if the table name is enough.
  package var database: String?

  /// Creates a to-many relationship.
  package init(
    table: String, ownerColumn: String, targetColumn: String, destination: String, isJoinTable: Bool,
    database: String? = nil
  ) {
    self.database = database
    self.table = table
    self.ownerColumn = ownerColumn
    self.targetColumn = targetColumn
    self.destination = destination
    self.isJoinTable = isJoinTable
  }
}
