import HeavyliftModel
import HeavyliftSQLite

/// A table of CloudKit mirroring, which Core Data keeps in the store besides the model's tables.
package struct MirroringTable {
  /// The columns that identify an object: the number of its entity and its key.
  package struct ObjectColumns {
    package let entity: String
    package let key: String
  }

  package let name: String
  /// The columns that identify an object; nil if the table's rows are not about objects.
  package let object: ObjectColumns?

  private static let prefix = "ANSCK"

  /// True if a table is one of CloudKit mirroring, judging by its name.
  package static func isMirroring(_ table: String) -> Bool { table.uppercased().hasPrefix(prefix) }

  /// True if a table contains the rows of an entity that only `Z_PRIMARYKEY` lists.
  package static func contains(rowsOf entity: String, table: String) -> Bool {
    isMirroring(table) && table.uppercased() == "A" + entity.uppercased()
  }

  /// Returns the tables of CloudKit mirroring in a store, sorted by name.
  package static func all(in database: Database) throws -> [MirroringTable] {
    try database.schemaObjects().filter { $0.type == .table && isMirroring($0.name) }
      .sorted { $0.name < $1.name }
      .map { table in
        let columns = try database.columns(of: table.name).map(\.name)
        func column(_ name: String) -> String? { columns.first { $0.uppercased() == name } }
        let object = column("ZENTITYID").flatMap { entity in
          column("ZENTITYPK").map { ObjectColumns(entity: entity, key: $0) }
        }
        return MirroringTable(name: table.name, object: object)
      }
  }
}

extension Diagnostic {
  /// A warning about records of CloudKit mirroring whose objects are not in the new version.
  package static func recordsLeftBehind(_ count: Int, in table: String) -> Diagnostic {
    Diagnostic(
      .warning, code: "migration.records-left-behind",
      problem:
        "\(count.counted(as: "row")) of table '\(table)' \(count == 1 ? "is" : "are") left behind: the objects of these "
        + "CloudKit records are not migrated",
      remedy: "delete the records in CloudKit if they are no longer needed")
  }
}
