import HeavyliftModel
import HeavyliftSQLite

extension PersistentStore {
  /// Runs `body` on a consistent snapshot of the store, and converts SQLite errors into errors about the store.
  package func readingConsistently<Result>(_ body: () throws -> Result) throws -> Result {
    try reporting {
      if !database.isInTransaction {
        // Lets SQLite sort big relationships on disk. The setting cannot be changed within a transaction.
        try database.execute("PRAGMA temp_store = FILE")
      }
      return try database.transaction(.deferred, body)
    }
  }

  /// Divides a stream's memory among SQLite's page cache and its sorters, each of which may use as much as the page
  /// cache (https://sqlite.org/pragma.html#pragma_cache_size).
  func prepareCaches(for entity: EntityLayout) throws {
    let sorters = entity.toManys.count { $0.orderColumn != nil || $0.isReflexive }
    try database.execute("PRAGMA cache_size = -\(max(1_024, 24_576 / (1 + sorters)))")
  }

  /// Throws if a hierarchy has rows of an unknown entity, which would be lost.
  ///
  /// In tables with only one entity, every row is one of its objects.
  func refuseUnknownRows(in entities: [EntityLayout]) throws {
    for table in Set(entities.map(\.tableName)).sorted() {
      let numbers = layout.entities.filter { $0.tableName == table }.map { String($0.number) }
      guard numbers.count > 1 else { continue }
      var cursor = try database.prepare(
        "SELECT Z_ENT, Z_PK FROM \(table.asSQLIdentifier) "
          + "WHERE Z_ENT IS NULL OR Z_ENT NOT IN (\(numbers.joined(separator: ", "))) ORDER BY Z_PK LIMIT 1"
      ).query()
      guard try cursor.next() else { continue }
      throw unknownEntityNumber(cursor.row.integer(at: 0), table: table, key: cursor.row.integer(at: 1))
    }
  }
}

extension PhysicalLayout {
  /// The entities sorted by name, by code units.
  var entitiesInOrderOfName: [EntityLayout] { entities.sorted { $0.name.precedesInCodeUnits($1.name) } }
}
