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
