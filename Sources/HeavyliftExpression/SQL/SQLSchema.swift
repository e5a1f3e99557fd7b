/// Where the properties of entities are kept: what a translation must know of a store.
public protocol SQLSchema {
  /// The entity of that name, if it is stored.
  func entity(named name: String) -> SQLEntity?

  /// Where a property of an entity is kept; nil if the entity has no such property.
  func property(_ name: String, of entity: String) -> SQLProperty?

  /// The key of an object that an expression mentions; nil if it is none of this store's saved objects.
  func key(of object: any ExpressionObject) -> SQLObjectKey?
}

extension SQLSchema {
  /// No object is known.
  public func key(of object: any ExpressionObject) -> SQLObjectKey? { nil }
}

/// An object as the store knows it.
public struct SQLObjectKey: Hashable, Sendable {
  public var entity: String
  public var key: Int64

  /// Creates a key.
  public init(entity: String, key: Int64) {
    self.entity = entity
    self.key = key
  }
}

/// A table and the column that tells its rows apart.
public struct SQLEntity: Hashable, Sendable {
  public var table: String
  public var keyColumn: String
  /// The name under which the store's file is attached; nil where a table's own name is enough.
  public var database: String?

  /// Creates the description of an entity. Entities of one table share their keys.
  public init(table: String, keyColumn: String = "Z_PK", database: String? = nil) {
    self.table = table
    self.database = database
    self.keyColumn = keyColumn
  }
}

/// Where a property is kept.
public enum SQLProperty: Hashable, Sendable {
  /// An attribute of a kind.
  case column(String, SQLKind)
  /// A composite attribute, whose elements have columns of their own: each is a column or another composite.
  indirect case composite([String: SQLProperty])
  /// The key of a to-one relationship's target.
  case toOne(column: String, destination: String)
  case toMany(SQLToMany)
  /// It has no column that SQL could read; why.
  case unavailable(String)
}

/// Where the links of a to-many relationship are kept.
public struct SQLToMany: Hashable, Sendable {
  public var table: String
  /// Holds the owner's key.
  public var ownerColumn: String
  /// Holds the target's key.
  public var targetColumn: String
  public var destination: String
  /// Whether the table has a row a link, and not the targets themselves.
  public var isJoinTable: Bool
  /// As that of an entity.
  public var database: String?

  /// Creates the description of a to-many relationship.
  public init(
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
