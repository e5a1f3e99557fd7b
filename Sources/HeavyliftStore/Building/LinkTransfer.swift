import HeavyliftModel

/// One statement that makes the rows of a join table out of a source relationship.
package struct LinkTransfer {
  /// The join table, and its columns.
  package let table: String
  package let ownerColumn: String
  private let targetColumn: String
  /// Both keys of a link, and the table of links, in the source.
  private let links: (owner: String, target: String, table: String)
  /// Whether all rows of that table have both keys.
  private let areWhole: Bool

  /// Nil where one of the relationships is not stored in the tables of its store.
  package init?(
    from source: StoreBlueprint, entity: String, relationship: String, to destination: StoreBlueprint,
    entity destinationEntity: String, relationship destinationRelationship: String, isAttached: Bool = true
  ) {
    guard let old = source.layout.entity(named: entity), let new = destination.layout.entity(named: destinationEntity),
      let storage = new.toMany(named: destinationRelationship), storage.kind == .joinTable, !storage.isReflexive,
      storage.orderColumn == nil, let (table, owner, target) = Self.links(of: relationship, old)
    else { return nil }
    links = (
      source.key(in: "l.\(owner)"), source.key(in: "l.\(target)"),
      "\(isAttached ? "\(source.schemaName)." : "")\(table) l"
    )
    areWhole = source.isViewed && old.toMany(named: relationship)?.kind == .joinTable
    (self.table, ownerColumn, targetColumn) = (storage.tableName, storage.ownerColumn, storage.targetColumn)
  }

  private var head: String {
    "INSERT OR IGNORE INTO main.\(SQLName(table)) (\(SQLName(ownerColumn)), \(SQLName(targetColumn)))"
  }

  /// Makes the rows, with two calls for each.
  ///
  /// - Parameters:
  ///   - ownerFunction: Gives the key of what became of the object that a link starts from; NULL for nothing.
  ///   - targetFunction: The same for the object that it leads to.
  package func insertion(ownerFunction: String, targetFunction: String) -> String {
    "\(head) SELECT owner, target FROM (SELECT \(ownerFunction)(\(links.owner)) AS owner, "
      + "\(targetFunction)(\(links.target)) AS target FROM \(links.table)) "
      + "WHERE owner IS NOT NULL AND target IS NOT NULL"
  }

  /// Makes the rows, with one call for each at most; see `rows(where:ownerOffset:targetOffset:)`.
  package func insertion(where function: String?, ownerOffset: Int64, targetOffset: Int64) -> String {
    "\(head) \(rows(where: function, ownerOffset: ownerOffset, targetOffset: targetOffset))"
  }

  /// The rows that the join table gets, as `owner` and `target`.
  ///
  /// - Parameters:
  ///   - function: Tells of the keys of a link's two objects whether both come along; nil where all do.
  ///   - ownerOffset: What is added to the key of the object that a link starts from.
  ///   - targetOffset: The same for the object that it leads to.
  package func rows(where function: String?, ownerOffset: Int64, targetOffset: Int64) -> String {
    func shifted(_ key: String, _ offset: Int64) -> String { offset == 0 ? key : "\(key) + \(offset)" }
    let rows =
      "SELECT \(shifted(links.owner, ownerOffset)) AS owner, \(shifted(links.target, targetOffset)) AS target "
      + "FROM \(links.table)"
    if let function { return "\(rows) WHERE \(function)(\(links.owner), \(links.target))" }
    return areWhole ? rows : "\(rows) WHERE \(links.owner) IS NOT NULL AND \(links.target) IS NOT NULL"
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
