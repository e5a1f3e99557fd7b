import HeavyliftModel

/// The statement that creates the rows of a join table from a source relationship.
package struct LinkTransfer {
  /// The join table and its columns.
  package let table: String
  package let ownerColumn: String
  private let targetColumn: String
  /// The columns with both keys of a link, and the table that contains the links, in the source.
  private let links: (owner: String, target: String, table: String)
  /// True if no row of that table lacks a key.
  private let areWhole: Bool

  /// Returns nil if one of the relationships is not stored in its store's tables.
  package init?(
    from source: StoreBlueprint, entity: String, relationship: String, to destination: StoreBlueprint,
    entity destinationEntity: String, relationship destinationRelationship: String
  ) {
    guard let old = source.layout.entity(named: entity), let new = destination.layout.entity(named: destinationEntity),
      let storage = new.toMany(named: destinationRelationship), storage.kind == .joinTable, !storage.isReflexive,
      storage.orderColumn == nil, let links = LinkTable(relationship, of: old), !links.isReflexive
    else { return nil }
    self.links = (
      source.key(in: "l.\(SQLName(links.owner))"), source.key(in: "l.\(SQLName(links.target))"),
      "\(source.schemaName).\(SQLName(links.table)) l"
    )
    areWhole = source.isViewed && links.present == nil
    (self.table, ownerColumn, targetColumn) = (storage.tableName, storage.ownerColumn, storage.targetColumn)
  }

  private var head: String {
    "INSERT OR IGNORE INTO main.\(SQLName(table)) (\(SQLName(ownerColumn)), \(SQLName(targetColumn)))"
  }

  /// Returns the statement with at most one function call for each row; see `rows(where:ownerOffset:targetOffset:)`.
  package func insertion(where function: String?, ownerOffset: Int64, targetOffset: Int64) -> String {
    "\(head) \(rows(where: function, ownerOffset: ownerOffset, targetOffset: targetOffset))"
  }

  /// Returns a query for the new rows of the join table, as `owner` and `target`.
  ///
  /// - Parameters:
  ///   - function: The function that returns true if the objects with a link's two keys are both migrated; nil if all
  ///     objects are.
  ///   - ownerOffset: The number to add to the owner's key.
  ///   - targetOffset: The number to add to the target's key.
  package func rows(where function: String?, ownerOffset: Int64, targetOffset: Int64) -> String {
    func shifted(_ key: String, _ offset: Int64) -> String { offset == 0 ? key : "\(key) + \(offset)" }
    let rows =
      "SELECT \(shifted(links.owner, ownerOffset)) AS owner, \(shifted(links.target, targetOffset)) AS target "
      + "FROM \(links.table)"
    if let function { return "\(rows) WHERE \(function)(\(links.owner), \(links.target))" }
    return areWhole ? rows : "\(rows) WHERE \(links.owner) IS NOT NULL AND \(links.target) IS NOT NULL"
  }
}
