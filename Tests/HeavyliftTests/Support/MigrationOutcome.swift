import Foundation
import HeavyliftTestSupport

@testable import Heavylift
@testable import HeavyliftStore

/// Every row of every table of a migrated store, or the error.
struct MigrationOutcome: Equatable {
  var rows: [String: [String]] = [:]
  var files: [String] = []
  var error: String?
  /// The log of the policies.
  var seen: [String] = []

  /// Migrates a test's store with a log for policies.
  init(
    of test: MigrationTest, _ mappings: MappingModel..., named name: String, options: MigrationOptions,
    ignoring columns: Set<String> = []
  ) throws {
    try self.init(of: test, mappings, named: name, options: options, ignoring: columns)
  }

  init(
    of test: MigrationTest, _ mappings: [MappingModel], named name: String, options: MigrationOptions,
    ignoring columns: Set<String> = []
  ) throws {
    let url = test.folder.appending("\(name).sqlite")
    let log = LawPolicy.Log()
    test.manager.userInfo["log"] = log
    do {
      _ = try test.manager.migrateStore(
        from: test.source, to: url, mappings.complete(from: test.old, to: test.new), options: options,
        caller: MigrationCaller())
    } catch let error as HopError {
      self.error = "\(error)".replacing(url.path, with: "destination")
      return
    }
    let database = try Database(path: url.path, mode: .readOnly)
    seen = log.lines
    let texts = try RowTexts(url, migratedFrom: test.source)
    files = try texts.files()
    var tables: [String] = []
    var cursor = try database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'Z%'").query()
    while try cursor.next() { tables.append(try cursor.row.text(at: 0) ?? "") }
    for table in tables where table != "Z_METADATA" && table != "Z_MODELCACHE" {
      rows[table] = try texts.rows(try Self.query(table, database, ignoring: columns)).sorted()
    }
  }

  /// Returns a query for all columns, with ranks instead of order keys: the gaps between keys depend on how often
  /// objects are written between two changes of a list.
  static func query(
    _ table: String, _ database: Database, ignoring ignored: Set<String>
  ) throws -> String {
    var (columns, names): ([String], [String]) = ([], [])
    var cursor = try database.prepare("SELECT name FROM pragma_table_info('\(table)')").query()
    while try cursor.next() { names.append(try cursor.row.text(at: 0) ?? "") }
    // Columns that were added to a carried table are the last ones.
    for name in names.sorted() where !ignored.contains(name) {
      let column = name.asSQLIdentifier
      guard name.hasPrefix("Z_FOK_") else {
        columns.append(column)
        continue
      }
      let ending = String(name.dropFirst("Z_FOK_".count).drop { $0.isNumber })
      // The column with the same ending identifies the list, or in a join table the other column.
      let keys = names.filter { $0 != "Z_FOK_\(ending)" && !$0.hasPrefix("Z_FOK_") && !$0.hasPrefix("Z_PK") }
      let list =
        names.contains("Z_PK")
        ? "Z\(ending)" : keys.first { !$0.hasSuffix(ending) } ?? keys.first ?? names[0]
      let tie = names.contains("Z_PK") ? "Z_PK" : keys.map(\.asSQLIdentifier).joined(separator: ", ")
      columns.append(
        "CASE WHEN \(column) IS NULL THEN NULL ELSE row_number() OVER "
          + "(PARTITION BY \(list.asSQLIdentifier) ORDER BY \(column), \(tie)) END")
    }
    return "SELECT \(columns.joined(separator: ", ")) FROM \(table.asSQLIdentifier)"
  }

  /// A detailed description of how two outcomes differ.
  static func difference(
    _ names: (String, String), _ left: MigrationOutcome, _ right: MigrationOutcome
  ) -> String {
    let tables = Set(left.rows.keys).union(right.rows.keys).sorted().filter { left.rows[$0] != right.rows[$0] }
    let difference = tables.map { table in
      "\(table)\n  \(names.0): \(left.rows[table] ?? [])\n  \(names.1): \(right.rows[table] ?? [])"
    }
    let seen = zip(left.seen, right.seen).first { $0 != $1 }
    return """
      \(names.0): \(left.error ?? "done")
      \(names.1): \(right.error ?? "done")
      \(difference.joined(separator: "\n"))
      \(seen.map { "seen, \(names.0): \($0)\nseen, \(names.1): \($1)" } ?? "")
      """
  }
}
