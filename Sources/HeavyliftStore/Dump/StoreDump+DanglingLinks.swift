import HeavyliftModel
import HeavyliftSQLite

extension StoreDump {
  /// Writes the links whose owner is missing: no object's line lists them.
  ///
  /// They are in join tables, and in rows that name an owner in a to-many without an inverse. A link in a join table
  /// has an owner on each side; only the side that writes the table is checked.
  func writeDanglingLinks(of entities: [EntityLayout], to writer: inout JSONWriter) throws -> Int {
    var count = 0
    var seen: Set<String> = []
    // Parents come first: they declare the properties that their sub-entities inherit.
    for entity in entities.sorted(by: { $0.number < $1.number }) {
      for storage in entity.toManys
      where storage.kind == .joinTable ? storage.writesLinks : store.layout.hasImpliedInverse(storage) {
        // All sub-entities share the links of an inherited relationship.
        guard seen.insert("\(storage.tableName).\(storage.ownerColumn)").inserted else { continue }
        count += try write(danglingLinks: storage, of: entity, to: &writer)
      }
    }
    return count
  }

  private func write(
    danglingLinks storage: ToManyStorage, of entity: EntityLayout, to writer: inout JSONWriter
  ) throws -> Int {
    let owner = storage.ownerColumn.asSQLIdentifier
    var cursor = try store.database.prepare(
      "SELECT \(owner), \(storage.targetColumn.asSQLIdentifier) FROM \(storage.tableName.asSQLIdentifier) l "
        + "WHERE \(storage.kind == .joinTable ? "" : "\(owner) IS NOT NULL AND ")NOT EXISTS (SELECT 1 FROM \(entity.tableName.asSQLIdentifier) WHERE Z_PK = l.\(owner)) ORDER BY 1, 2"
    ).query()
    var count = 0
    while try cursor.next() {
      writer.raw("{\"danglingLink\":")
      writer.raw(JSONText.member("entity", isFirst: true))
      try writer.string(entity.name)
      writer.raw(JSONText.member("relationship", isFirst: false))
      try writer.string(storage.name)
      for (column, name) in ["owner", "target"].enumerated() {
        writer.raw(JSONText.member(name, isFirst: false))
        cursor.row.isNull(at: column) ? writer.null() : writer.integer(cursor.row.integer(at: column))
      }
      writer.raw("}}\n")
      try writer.flushIfFull()
      count += 1
    }
    return count
  }
}
