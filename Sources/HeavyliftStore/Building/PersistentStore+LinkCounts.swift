import HeavyliftSQLite

extension PersistentStore {
  /// The number of links of a relationship, sub-entities of its entity included; nil if it is not stored.
  ///
  /// SQLite answers from the index of the column: https://sqlite.org/optoverview.html#covering_indexes.
  ///
  /// - Parameter withTargetsOnly: Only those with a row at both ends; a damaged store has others.
  package func linkCount(ofEntity name: String, relationship: String, withTargetsOnly: Bool = false) throws -> Int? {
    guard let entity = layout.entity(named: name) else { return nil }
    let (table, column, target): (String, String, (column: String, table: String))
    if let toOne = entity.toOne(named: relationship) {
      (table, column, target) = (entity.tableName, toOne.column, (toOne.column, toOne.destinationTableName))
    } else if let toMany = entity.toMany(named: relationship) {
      (table, column) = (toMany.tableName, toMany.ownerColumn)
      target = (toMany.targetColumn, toMany.destinationTableName)
    } else {
      return nil
    }
    var sql = "SELECT count(*) FROM \(SQLName(table)) l WHERE \(SQLName(column)) IS NOT NULL"
    if withTargetsOnly {
      sql +=
        " AND EXISTS (SELECT 1 FROM \(SQLName(entity.tableName)) o WHERE o.Z_PK = "
        + (entity.toOne(named: relationship) == nil ? "l.\(SQLName(column))" : "l.Z_PK")
        + ") AND EXISTS (SELECT 1 FROM \(SQLName(target.table)) t WHERE t.Z_PK = l.\(SQLName(target.column)))"
    }
    return try reporting {
      guard case .integer(let count)? = try database.firstValue(sql) else { return 0 }
      return Int(count)
    }
  }
}
