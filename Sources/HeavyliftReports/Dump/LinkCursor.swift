import HeavyliftSQLite
import HeavyliftStore

/// Iterates over the links of a to-many relationship in parallel with its owners, both sorted by the owners' keys.
///
/// One scan of a table or its index serves all owners, and an owner with a million targets needs no more memory than
/// one with none.
final class LinkCursor {
  private let storage: ToManyStorage
  private var cursor: RowCursor
  private var references: ObjectReferences
  /// The owner of the current link; nil after the last link.
  private var owner: Int64?

  /// - Parameter owner: The entity of the owners; rows of sibling entities are skipped.
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

  /// Writes the targets of an owner as an array. Owners must be sorted by key; each can be written only once.
  func writeTargets(of key: Int64, to writer: inout JSONWriter) throws {
    // Skips links of missing owners, and of owners that the caller skipped.
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

/// An error: the target of a link is not a valid key.
struct BadLink: Error {
  var storage: ToManyStorage
  var problem: String
}

extension ToManyStorage {
  /// Returns SQL for all links, each as owner, target and the target's `Z_ENT`, sorted by owner and then in the
  /// relationship's order.
  ///
  /// Unordered targets are sorted by key, which is the order of the index on owners.
  fileprivate func linksSQL(owner: EntityLayout?, onlyTarget: Int64?, destination: String) -> String {
    let number: String
    if kind == .foreignKey {
      // The row that names its owner is itself the target.
      number = onlyTarget.map(String.init) ?? "l.Z_ENT"
    } else {
      let column = onlyTarget.map(String.init) ?? "Z_ENT"
      number = "(SELECT \(column) FROM \(destination.asSQLIdentifier) WHERE Z_PK = l.target)"
    }
    var from = links
    var order = "l.owner"
    if let owner {
      // `CROSS JOIN` fixes the join order: owners are already sorted, and links are looked up by owner.
      from =
        "\(owner.tableName.asSQLIdentifier) o CROSS JOIN \(links) ON l.owner = o.Z_PK WHERE o.Z_ENT = \(owner.number)"
      order = "o.Z_PK"
    } else {
      from += " WHERE l.owner IS NOT NULL"
    }
    return "SELECT \(order), l.target, \(number) FROM \(from) ORDER BY \(order)"
      + "\(orderColumn == nil ? "" : ", l.place"), l.target"
  }

  /// A subquery named `l` that returns the links, each with its owner, its target and, if ordered, its position.
  var links: String {
    let (table, owner, target) = (
      tableName.asSQLIdentifier, ownerColumn.asSQLIdentifier, targetColumn.asSQLIdentifier
    )
    let place = orderColumn.map { ", \($0.asSQLIdentifier) AS place" } ?? ""
    let number = kind == .foreignKey ? ", Z_ENT" : ""
    let direct = "SELECT \(owner) AS owner, \(target) AS target\(place)\(number) FROM \(table)"
    guard isReflexive else { return "(\(direct)) l" }
    // A link that exists in both directions counts once, with its position among this owner's targets.
    let reversed =
      "SELECT \(target), \(owner)\(place) FROM \(table) r WHERE NOT EXISTS "
      + "(SELECT 1 FROM \(table) d WHERE d.\(owner) = r.\(target) AND d.\(target) = r.\(owner))"
    return "(\(direct) UNION ALL \(reversed)) l"
  }
}
