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

/// The statements that create the rows of a join table from a source relationship.
package struct LinkTransfer {
  private let table: SQLName
  private let columns: [SQLName]
  /// True if the table contains each link in both directions.
  private let isReflexive: Bool
  /// The links of the source, as `l`, and their keys.
  private let links: String
  private let owner: String
  private let target: String
  /// The places of a link in the lists at its two ends, as far as they are ordered.
  private let places: [String]

  /// Returns nil if one of the relationships is not stored in its store's tables.
  ///
  /// - Parameter keepsOrder: True if a list has the order of the source's list; otherwise it is sorted by the keys of its
  ///   objects.
  package init?(
    from source: StoreBlueprint, entity: String, relationship: String, to destination: StoreBlueprint,
    entity destinationEntity: String, relationship destinationRelationship: String,
    keepsOrder: (own: Bool, inverse: Bool)
  ) {
    guard let old = source.layout.entity(named: entity), let new = destination.layout.entity(named: destinationEntity),
      let storage = new.toMany(named: destinationRelationship), storage.kind == .joinTable,
      let links = LinkTable(relationship, of: old), !links.isReflexive || storage.isReflexive
    else { return nil }
    func stored(_ column: String) -> String { "CAST(l.\(SQLName(column)) AS INTEGER)" }
    let (owner, target) = (stored(links.owner), stored(links.target))
    var (columns, places) = ([storage.ownerColumn, storage.targetColumn], [String]())
    if let order = storage.orderColumn {
      columns.append(order)
      places.append((keepsOrder.own ? links.order.map(stored) : nil) ?? OrderKeys.place(ofKey: target))
    }
    if !storage.isReflexive,
      let order = destination.runtime.inverseOrder(of: destinationRelationship, destinationEntity)
    {
      columns.append(order)
      let known = keepsOrder.inverse ? source.runtime.inverseOrder(of: relationship, entity) : nil
      places.append(known.map(stored) ?? OrderKeys.place(ofKey: owner))
    }
    (table, self.columns, isReflexive) = (SQLName(storage.tableName), columns.map(SQLName.init), storage.isReflexive)
    self.links = "\(SourceAttachment.name).\(SQLName(links.table)) l"
    (self.owner, self.target, self.places) = (owner, target, places)
  }

  /// Returns the statements, with at most one function call for each row.
  ///
  /// - Parameters:
  ///   - function: The function that returns true if the objects with a link's two keys are both migrated.
  ///   - ownerOffset: The number to add to the owner's key.
  ///   - targetOffset: The number to add to the target's key.
  package func insertions(where function: String, ownerOffset: Int64, targetOffset: Int64) -> [String] {
    func shifted(_ key: String, _ offset: Int64) -> String { offset == 0 ? key : "\(key) + \(offset)" }
    let keys = [shifted(owner, ownerOffset), shifted(target, targetOffset)]
    return (isReflexive ? [keys, keys.reversed()] : [keys]).map { keys in
      "INSERT OR IGNORE INTO main.\(table) (\(columns.map { "\($0)" }.joined(separator: ", "))) "
        + "SELECT \((keys + places).joined(separator: ", ")) FROM \(links) WHERE \(function)(\(owner), \(target))"
    }
  }
}

extension StoreRuntime {
  /// The column with a link's place in the list of its target, if the inverse is ordered.
  fileprivate func inverseOrder(of relationship: String, _ entity: String) -> String? {
    guard let runtime = byName[entity], let slot = runtime.relationshipSlot(named: relationship) else { return nil }
    switch slot {
    case .attribute: return nil
    case .toOne(let index): return runtime.toOnes[index].column?.orderColumn
    case .toMany(let index):
      guard case .toMany(let back)? = runtime.toManys[index].inverse else { return nil }
      return entities[runtime.toManys[index].destination].toManys[back].storage?.orderColumn
    }
  }
}
