import HeavyliftModel

/// One statement that makes the rows of a join table out of a source relationship.
package struct LinkTransfer {
  /// The join table's name and columns, and the rows that it gets.
  package let rows: (table: String, owner: String, target: String, sql: String)
  /// Both keys of a link, and the table of links, in the source.
  private let links: (owner: String, target: String, table: String)

  /// Nil where one of the relationships is not stored in the tables of its store.
  ///
  /// - Parameters:
  ///   - ownerFunction: Gives the key of what became of the object that a link starts from; NULL for nothing.
  ///   - targetFunction: The same for the object that it leads to.
  package init?(
    from source: StoreBlueprint, entity: String, relationship: String, to destination: StoreBlueprint,
    entity destinationEntity: String, relationship destinationRelationship: String, ownerFunction: String,
    targetFunction: String, isAttached: Bool = true
  ) {
    guard let old = source.layout.entity(named: entity), let new = destination.layout.entity(named: destinationEntity),
      let storage = new.toMany(named: destinationRelationship), storage.kind == .joinTable, !storage.isReflexive,
      storage.orderColumn == nil, let (table, owner, target) = Self.links(of: relationship, old)
    else { return nil }
    links = (
      "CAST(l.\(owner) AS INTEGER)", "CAST(l.\(target) AS INTEGER)",
      "\(isAttached ? "\(source.schemaName)." : "")\(table) l"
    )
    let rows =
      "SELECT owner, target FROM (SELECT \(ownerFunction)(\(links.owner)) AS owner, "
      + "\(targetFunction)(\(links.target)) AS target FROM \(links.table)) "
      + "WHERE owner IS NOT NULL AND target IS NOT NULL"
    self.rows = (storage.tableName, storage.ownerColumn, storage.targetColumn, rows)
  }

  /// Makes the rows, with two calls for each.
  package var insertion: String {
    "INSERT OR IGNORE INTO main.\(SQLName(rows.table)) (\(SQLName(rows.owner)), \(SQLName(rows.target))) \(rows.sql)"
  }

  /// Makes the rows, with one call for each.
  ///
  /// - Parameters:
  ///   - function: Tells of the keys of a link's two objects whether both came along.
  ///   - ownerOffset: What is added to the key of the object that a link starts from.
  ///   - targetOffset: The same for the object that it leads to.
  package func insertion(where function: String, ownerOffset: Int64, targetOffset: Int64) -> String {
    "INSERT OR IGNORE INTO main.\(SQLName(rows.table)) (\(SQLName(rows.owner)), \(SQLName(rows.target))) "
      + "SELECT \(links.owner) + \(ownerOffset), \(links.target) + \(targetOffset) FROM \(links.table) "
      + "WHERE \(function)(\(links.owner), \(links.target))"
  }

  /// Where the links of a relationship stand: the table, the column of the owner's key, that of the target's.
  private static func links(of name: String, _ entity: EntityLayout) -> (SQLName, SQLName, SQLName)? {
    if let toOne = entity.toOne(named: name) {
      return (SQLName(entity.tableName), SQLName("Z_PK"), SQLName(toOne.column))
    }
    guard let toMany = entity.toMany(named: name), !toMany.isReflexive else { return nil }
    return (SQLName(toMany.tableName), SQLName(toMany.ownerColumn), SQLName(toMany.targetColumn))
  }
}

extension PersistentStore {
  /// Whether two to-one relationships, each other's inverses, say the same for all objects of two entities.
  package func agree(
    _ entity: String, _ relationship: String, _ otherEntity: String, _ otherRelationship: String
  ) throws -> Bool {
    guard
      let (first, second) = layout.entity(named: entity).flatMap({ one in
        layout.entity(named: otherEntity).map { (one, $0) }
      }), let column = first.toOne(named: relationship), let other = second.toOne(named: otherRelationship)
    else { return false }
    func disagreement(_ from: EntityLayout, _ key: ToOneColumn, _ to: EntityLayout, _ back: ToOneColumn) -> String {
      "EXISTS (SELECT 1 FROM \(SQLName(from.tableName)) a JOIN \(SQLName(to.tableName)) b "
        + "ON b.Z_PK = a.\(SQLName(key.column)) WHERE b.\(SQLName(back.column)) IS NOT a.Z_PK)"
    }
    return try reporting {
      try database.firstValue(
        "SELECT \(disagreement(first, column, second, other)) OR \(disagreement(second, other, first, column))")
        == .integer(0)
    }
  }
}
