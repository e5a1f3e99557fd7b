import HeavyliftModel

/// The statement that creates the rows of a join table from a source relationship.
package struct LinkTransfer {
  /// The join table and its columns.
  private let table: String
  private let ownerColumn: String
  private let targetColumn: String
  /// The columns with both keys of a link, and the table that contains the links, in the source.
  private let links: (owner: String, target: String, table: String)

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
      "CAST(l.\(SQLName(links.owner)) AS INTEGER)", "CAST(l.\(SQLName(links.target)) AS INTEGER)",
      "\(SourceAttachment.name).\(SQLName(links.table)) l"
    )
    (self.table, ownerColumn, targetColumn) = (storage.tableName, storage.ownerColumn, storage.targetColumn)
  }

  /// Returns the statement with at most one function call for each row.
  ///
  /// - Parameters:
  ///   - function: The function that returns true if the objects with a link's two keys are both migrated.
  ///   - ownerOffset: The number to add to the owner's key.
  ///   - targetOffset: The number to add to the target's key.
  package func insertion(where function: String, ownerOffset: Int64, targetOffset: Int64) -> String {
    func shifted(_ key: String, _ offset: Int64) -> String { offset == 0 ? key : "\(key) + \(offset)" }
    return "INSERT OR IGNORE INTO main.\(SQLName(table)) (\(SQLName(ownerColumn)), \(SQLName(targetColumn))) "
      + "SELECT \(shifted(links.owner, ownerOffset)), \(shifted(links.target, targetOffset)) FROM \(links.table) "
      + "WHERE \(function)(\(links.owner), \(links.target))"
  }
}
