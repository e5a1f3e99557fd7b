import HeavyliftModel

/// One statement that makes the rows of a join table out of a source relationship.
package struct LinkTransfer {
  package let sql: String
  /// The join table's name and columns, and the rows that it gets.
  package let rows: (table: String, owner: String, target: String, sql: String)

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
    let rows =
      "SELECT owner, target FROM (SELECT \(ownerFunction)(CAST(l.\(owner) AS INTEGER)) AS owner, "
      + "\(targetFunction)(CAST(l.\(target) AS INTEGER)) AS target "
      + "FROM \(isAttached ? "\(source.schemaName)." : "")\(table) l) WHERE owner IS NOT NULL AND target IS NOT NULL"
    self.rows = (storage.tableName, storage.ownerColumn, storage.targetColumn, rows)
    sql =
      "INSERT OR IGNORE INTO main.\(SQLName(storage.tableName)) "
      + "(\(SQLName(storage.ownerColumn)), \(SQLName(storage.targetColumn))) \(rows)"
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
