import HeavyliftModel
import HeavyliftSQLite

/// The table that stores a relationship's links, and its columns.
struct LinkTable {
  let table: String
  /// The column with the owner's key: `Z_PK` if the links are in the owners' rows.
  let owner: String
  let target: String
  let ownerTable: String
  let targetTable: String
  /// The column that sorts an owner's targets.
  let order: String?
  /// The column that is NULL in a row without a link; nil for a join table, in which every row is a link.
  let present: String?
  /// True if each link is stored in both directions.
  let isReflexive: Bool

  /// Returns SQL for the entity number of an owner, whose row may have an alias.
  private let ownerNumber: (String?) -> String

  /// Returns nil if the relationship is not stored.
  init?(_ relationship: String, of entity: EntityLayout) {
    (ownerTable, ownerNumber) = (entity.tableName, entity.numberSQL)
    if let toOne = entity.toOne(named: relationship) {
      (table, owner, target) = (entity.tableName, "Z_PK", toOne.column)
      (targetTable, order, present, isReflexive) = (toOne.destinationTableName, nil, toOne.column, false)
    } else if let toMany = entity.toMany(named: relationship) {
      (table, owner, target) = (toMany.tableName, toMany.ownerColumn, toMany.targetColumn)
      (targetTable, order, isReflexive) = (toMany.destinationTableName, toMany.orderColumn, toMany.isReflexive)
      present = toMany.kind == .joinTable ? nil : toMany.ownerColumn
    } else {
      return nil
    }
  }

  init?(_ relationship: String, of name: String, in layout: PhysicalLayout) {
    guard let entity = layout.entity(named: name) else { return nil }
    self.init(relationship, of: entity)
  }

  /// True if the links are in the rows of their owners.
  var isInOwnerRow: Bool { owner == "Z_PK" }

  /// True if owner and target are the primary key of a join table, as in every store that Core Data has created.
  func isPrimaryKey(in database: Database) throws(SQLiteError) -> Bool {
    let keys = try database.columns(of: table).filter(\.isPrimaryKey).map { $0.name.uppercased() }
    return Set(keys) == [owner.uppercased(), target.uppercased()]
  }

  /// A `FROM` clause with a row `l` for each link.
  var all: String { "FROM \(SQLName(table)) l WHERE " + (present.map { "l.\(SQLName($0)) IS NOT NULL" } ?? "TRUE") }

  /// Returns a `FROM` clause with a row `l` for each link of the owners with certain entity numbers.
  func links(ofOwners numbers: [Int]) -> String {
    let list = numbers.sorted().map(String.init).joined(separator: ", ")
    if isInOwnerRow { return "\(all) AND \(ownerNumber("l")) IN (\(list))" }
    return "FROM \(SQLName(table)) l WHERE l.\(SQLName(owner)) IN "
      + "(SELECT Z_PK FROM \(SQLName(ownerTable)) WHERE \(ownerNumber(nil)) IN (\(list)))"
  }
}

/// A query for the links of a source relationship: rows with `owner`, `target` and `place`, which sorts the targets of
/// an owner.
package struct LinkSource {
  let sql: String
  /// The same query with a row for each owner, even without a target; nil for a to-many relationship.
  let complete: String?

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
