import Foundation
import HeavyliftModel
import HeavyliftSQLite

extension Database {
  /// Reads the one row of `Z_METADATA`.
  func readMetadata(of store: URL) throws -> StoreMetadata {
    let columns = Set(try columns(of: "Z_METADATA").map { $0.name.uppercased() })
    for column in ["Z_VERSION", "Z_UUID", "Z_PLIST"] where !columns.contains(column) {
      throw StoreMistake.damagedMetadata("Z_METADATA has no column \(column)").diagnostic(store)
    }
    var cursor = try cached("SELECT Z_VERSION, Z_UUID, Z_PLIST FROM Z_METADATA").query()
    guard try cursor.next() else { throw StoreMistake.noMetadata.diagnostic(store) }
    let version = cursor.row.integer(at: 0)
    guard version <= 1 else { throw StoreMistake.futureVersion("Z_VERSION \(version)").diagnostic(store) }
    guard cursor.row.type(at: 1) == .text, let identifier = try cursor.row.text(at: 1), !identifier.isEmpty else {
      throw StoreMistake.damagedMetadata("Z_METADATA.Z_UUID is not an identifier").diagnostic(store)
    }
    guard let propertyList = cursor.row.blob(at: 2),
      let metadata = StoreMetadata(identifier: identifier, propertyList: propertyList)
    else { throw StoreMistake.damagedMetadata("Z_METADATA.Z_PLIST is not a property list").diagnostic(store) }
    guard metadata.hasSoundHashes else {
      throw StoreMistake.damagedMetadata("\(StoreMetadata.Key.versionHashes) does not contain a hash for each entity")
        .diagnostic(store)
    }
    if let hashes = metadata.values[StoreMetadata.Key.versionHashesVersion]?.integer, hashes > 3 {
      throw StoreMistake.futureVersion("version hashes of kind \(hashes)").diagnostic(store)
    }
    return metadata
  }

  /// Writes the one row of `Z_METADATA`.
  func writeMetadata(_ metadata: StoreMetadata) throws {
    try run(
      "INSERT OR REPLACE INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, ?, ?)", .text(metadata.identifier),
      .blob(metadata.propertyList))
  }

  /// Reads `Z_PRIMARYKEY`, sorted by entity number.
  func readPrimaryKeys(of store: URL) throws -> [PrimaryKeyRow] {
    var cursor = try cached("SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT").query()
    var rows: [PrimaryKeyRow] = []
    while try cursor.next() {
      let number = cursor.row.integer(at: 0)
      guard cursor.row.type(at: 1) == .text, let name = try cursor.row.text(at: 1), Int64(Int32.max) > number,
        number > 0, let superNumber = Int(exactly: cursor.row.integer(at: 2)),
        [.integer, .null].contains(cursor.row.type(at: 3))
      else { throw StoreMistake.damagedPrimaryKeys.diagnostic(store) }
      rows.append(
        PrimaryKeyRow(
          number: Int(number), name: name, superNumber: superNumber, maximum: cursor.row.integer(at: 3)))
    }
    return rows
  }

  /// Registers replacements for the functions that the triggers of derived attributes call and that only Core Data
  /// has.
  ///
  /// The triggers tell Core Data which objects to refresh; Heavylift's contexts refresh objects after each save
  /// instead.
  func registerDerivedAttributeFunctions() throws(SQLiteError) {
    for name in [
      "NSCoreDataDATriggerUpdatedAffectedObjectValue", "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue",
    ] {
      try register(function: name, argumentCount: -1, isDeterministic: false, isAllowedInSchema: true) { _ in .null }
    }
  }
}

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
