import HeavyliftSQLite

/// Runs through the links of a to-many relationship beside its owners, both in order of the owners' keys.
///
/// One pass over a table or its index serves all owners, and an owner with a million targets needs no more memory than
/// one with none.
final class LinkCursor {
  private let storage: ToManyStorage
  private var cursor: RowCursor
  private var references: ObjectReferences
  /// The owner of the link on which the cursor stands; nil at the end.
  private var owner: Int64?

  /// - Parameter owner: the entity whose objects own the links; rows of its siblings are passed over.
  init(
    _ storage: ToManyStorage, of owner: EntityLayout, in store: PersistentStore, names: [String: String] = [:]
  ) throws {
    self.storage = storage
    references = ObjectReferences(
      to: storage.destinationTableName, destinationEntityName: storage.destinationEntityName, in: store.layout,
      names: names)
    let hasSiblings = store.layout.entities.contains { $0.tableName == owner.tableName && $0.name != owner.name }
    let sql = storage.linksSQL(
      owner: hasSiblings ? owner : nil, onlyTarget: references.onlyNumber, destination: storage.destinationTableName)
    cursor = try store.database.prepare(sql).query()
    try step()
  }

  private func step() throws {
    owner = try cursor.next() ? cursor.row.integer(at: 0) : nil
  }

  /// Writes the targets of an owner as an array. Owners must come in order of their keys; each can be asked for once.
  func writeTargets(of key: Int64, to writer: inout JSONWriter) throws {
    // What is left of earlier owners belongs to nobody, or nobody asked for it.
    while let owner, owner < key { try step() }
    writer.byte(UInt8(ascii: "["))
    var isFirst = true
    while owner == key {
      if !isFirst { writer.byte(UInt8(ascii: ",")) }
      isFirst = false
      try writeTarget(to: &writer)
      try writer.flushIfFull()
      try step()
    }
    writer.byte(UInt8(ascii: "]"))
  }

  private func writeTarget(to writer: inout JSONWriter) throws {
    switch cursor.row.type(at: 1) {
    case .integer:
      references.write(
        cursor.row.integer(at: 1), number: cursor.row.isNull(at: 2) ? nil : cursor.row.integer(at: 2), to: &writer)
    case .null: writer.null()
    case let type:
      throw BadLink(storage: storage, problem: "holds \(type.phrase) where the key of an object is expected")
    }
  }
}

/// A link leads to something that is no key.
struct BadLink: Error {
  var storage: ToManyStorage
  var problem: String
}

extension ToManyStorage {
  /// All links as owner, target and the target's `Z_ENT`, in order of owners, and for each in the relationship's order.
  ///
  /// Without an order, targets come in order of their keys, which is the order of the index over owners.
  fileprivate func linksSQL(owner: EntityLayout?, onlyTarget: Int64?, destination: String) -> String {
    let number: String
    if kind == .foreignKey {
      // The row that names its owner is the target itself.
      number = onlyTarget.map(String.init) ?? "l.Z_ENT"
    } else {
      let column = onlyTarget.map(String.init) ?? "Z_ENT"
      number = "(SELECT \(column) FROM \(destination.asSQLIdentifier) WHERE Z_PK = l.target)"
    }
    var from = links
    var order = "l.owner"
    if let owner {
      // The order of the tables is fixed: owners are in order already, and links are found by them.
      from =
        "\(owner.tableName.asSQLIdentifier) o CROSS JOIN \(links) ON l.owner = o.Z_PK WHERE o.Z_ENT = \(owner.number)"
      order = "o.Z_PK"
    } else {
      from += " WHERE l.owner IS NOT NULL"
    }
    return "SELECT \(order), l.target, \(number) FROM \(from) ORDER BY \(order)"
      + "\(orderColumn == nil ? "" : ", l.place"), l.target"
  }

  /// The links with their owners and targets, and their places among those of one owner, as a table `l`.
  var links: String {
    let (table, owner, target) = (
      tableName.asSQLIdentifier, ownerColumn.asSQLIdentifier, targetColumn.asSQLIdentifier
    )
    let place = orderColumn.map { ", \($0.asSQLIdentifier) AS place" } ?? ""
    let number = kind == .foreignKey ? ", Z_ENT" : ""
    let direct = "SELECT \(owner) AS owner, \(target) AS target\(place)\(number) FROM \(table)"
    guard isReflexive else { return "(\(direct)) l" }
    // A link that is there both ways counts once, with the place that it has among this owner's.
    let reversed =
      "SELECT \(target), \(owner)\(place) FROM \(table) r WHERE NOT EXISTS "
      + "(SELECT 1 FROM \(table) d WHERE d.\(owner) = r.\(target) AND d.\(target) = r.\(owner))"
    return "(\(direct) UNION ALL \(reversed)) l"
  }
}
