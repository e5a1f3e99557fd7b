import Foundation
import HeavyliftSQLite

@testable import HeavyliftStore

/// A store's schema as the statements that make it, in an order that says nothing.
enum SchemaText {
  /// What the database has, without SQLite's own objects.
  static func of(_ database: Database) throws -> Set<String> {
    Set(try database.schemaObjects().compactMap(\.sql))
  }

  /// What the layout would make.
  static func of(_ layout: PhysicalLayout) -> Set<String> {
    Set(
      (layout.tables + layout.joinTables).map(\.sql) + layout.indexes.map(\.sql) + layout.triggers.map(\.sql)
        + [
          "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
          "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
          "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)",
        ])
  }

  /// `-` what only the real store has, `+` what only ours has.
  static func differences(real: Set<String>, ours: Set<String>) -> [String] {
    real.subtracting(ours).sorted().map { "- \($0)" } + ours.subtracting(real).sorted().map { "+ \($0)" }
  }
}
