import HeavyliftSQLite

/// A table of CloudKit mirroring, which Core Data keeps in the store besides the model's tables.
package struct MirroringTable {
  package let name: String
  /// The column with the number of an object's entity; nil if the table does not identify objects.
  package let entityColumn: String?

  private static let prefix = "ANSCK"

  /// The name of the entity in `Z_PRIMARYKEY` whose rows the table contains.
  package static func contains(rowsOf entity: String, table: String) -> Bool {
    table.uppercased() == "A" + entity.uppercased() && table.uppercased().hasPrefix(prefix)
  }

  /// Returns the tables of CloudKit mirroring in a store, sorted by name.
  package static func all(in database: Database) throws -> [MirroringTable] {
    try database.schemaObjects().filter { $0.type == .table && $0.name.uppercased().hasPrefix(prefix) }
      .sorted { $0.name < $1.name }
      .map { table in
        let columns = Set(try database.columns(of: table.name).map { $0.name.uppercased() })
        return MirroringTable(
          name: table.name, entityColumn: columns.isSuperset(of: ["ZENTITYID", "ZENTITYPK"]) ? "ZENTITYID" : nil)
      }
  }
}
