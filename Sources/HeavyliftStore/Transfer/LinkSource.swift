import HeavyliftModel

/// A query for the links of a source relationship: rows with `owner`, `target` and `place`, which sorts the targets of
/// an owner.
package struct LinkSource {
  package let sql: String
  /// The same query with a row for each owner, even without a target; nil for a to-many relationship.
  package let complete: String?

  /// Returns nil if the relationship is not stored.
  ///
  /// - Parameter relationship: Nil if each source object is its own target.
  package init?(from source: StoreBlueprint, entity: String, relationship: String?) {
    guard let entity = source.layout.entity(named: entity) else { return nil }
    let rows =
      "FROM \(SourceAttachment.name).\(SQLName(entity.tableName)) WHERE \(entity.numberSQL()) = \(entity.number)"
    guard let relationship else {
      sql = "SELECT Z_PK AS owner, Z_PK AS target, 0 AS place \(rows)"
      complete = sql
      return
    }
    guard let links = LinkTable(relationship, of: entity) else { return nil }
    let (owner, target) = (SQLName(links.owner), SQLName(links.target))
    if links.isInOwnerRow {
      // Reading a row converts any stored value to an integer, too.
      let all = "SELECT Z_PK AS owner, CAST(\(target) AS INTEGER) AS target, 0 AS place \(rows)"
      (sql, complete) = ("\(all) AND \(target) IS NOT NULL", all)
      return
    }
    complete = nil
    let table = "\(SourceAttachment.name).\(SQLName(links.table))"
    let place = links.order.map { SQLName($0).description } ?? "0"
    let direct =
      "SELECT CAST(\(owner) AS INTEGER) AS owner, CAST(\(target) AS INTEGER) AS target, \(place) AS place "
      + "FROM \(table) WHERE \(owner) IS NOT NULL"
    guard links.isReflexive else {
      sql = direct
      return
    }
    // A link that is stored in both directions counts once, with its order key in this owner's list.
    sql =
      "\(direct) UNION ALL SELECT CAST(\(target) AS INTEGER), CAST(\(owner) AS INTEGER), \(place) FROM \(table) l "
      + "WHERE NOT EXISTS (SELECT 1 FROM \(table) d WHERE d.\(owner) = l.\(target) AND d.\(target) = l.\(owner))"
  }
}
