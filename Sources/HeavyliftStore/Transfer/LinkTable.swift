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
