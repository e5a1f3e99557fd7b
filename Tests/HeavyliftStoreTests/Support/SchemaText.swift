import Foundation
import HeavyliftSQLite

@testable import HeavyliftStore

/// A store's schema as the set of its SQL statements.
enum SchemaText {
  /// The statements of a database, without SQLite's own objects.
  static func of(_ database: Database) throws -> Set<String> {
    Set(try database.schemaObjects().compactMap(\.sql))
  }

  /// The statements of a layout.
  static func of(_ layout: PhysicalLayout) -> Set<String> {
    Set(
      (layout.tables + layout.joinTables).map(\.sql) + layout.indexes.map(\.sql) + layout.triggers.map(\.sql)
        + [
          "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
          "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
          "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)",
        ])
  }

  /// `-` for statements of the real store alone, `+` for those of ours alone.
  static func differences(real: Set<String>, ours: Set<String>) -> [String] {
    real.subtracting(ours).sorted().map { "- \($0)" } + ours.subtracting(real).sorted().map { "+ \($0)" }
  }
}
