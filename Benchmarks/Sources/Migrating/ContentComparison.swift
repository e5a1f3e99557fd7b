import Foundation
import Measuring

/// Compares a variant's store with that of plain SQL: a figure counts only if the two are the same.
enum ContentComparison {
  /// Throws if tables, indexes or rows differ.
  static func require(_ variant: Variant, in folder: BenchmarkFolder) throws {
    let connection = PlainConnection(folder.destination(of: .plain).path)
    connection.attach(folder.destination(of: variant).path, as: "other")
    let schema = "SELECT group_concat(sql, ';') FROM (SELECT sql FROM"
    guard
      connection.texts("\(schema) main.sqlite_master WHERE sql IS NOT NULL ORDER BY name)")
        == connection.texts("\(schema) other.sqlite_master WHERE sql IS NOT NULL ORDER BY name)")
    else { throw Failure(problem: "variant '\(variant.rawValue)' has different tables or indexes") }
    for table in connection.texts("SELECT name FROM main.sqlite_master WHERE type = 'table' AND name GLOB 'Z[A-Z]*'") {
      try compare(table, keys: ["Z_PK"], variant, connection)
    }
    try compare("Z_4TRACKS", keys: ["Z_4PLAYLISTS", "Z_5TRACKS"], variant, connection)
    try compare("Z_PRIMARYKEY", keys: ["Z_ENT"], variant, connection)
  }

  private static func compare(
    _ table: String, keys: [String], _ variant: Variant, _ connection: PlainConnection
  ) throws {
    let columns = connection.texts("SELECT name FROM pragma_table_info('\(table)')").filter { !keys.contains($0) }
    let differences = columns.compactMap { column -> String? in
      switch column {
      // The number of saves: policies write their objects again with the relationships.
      case "Z_OPT": nil
      // SQLite's `upper` only converts ASCII letters.
      case "ZSORTTITLE":
        "a.ZSORTTITLE IS NOT b.ZSORTTITLE AND length(a.ZTITLE) = length(CAST(a.ZTITLE AS BLOB))"
      // Keys of dropped objects are not reused.
      case "Z_MAX": "b.Z_MAX < a.Z_MAX OR b.Z_MAX IS NULL"
      default: "a.\(column) IS NOT b.\(column)"
      }
    }
    let same = keys.map { "a.\($0) = b.\($0)" }.joined(separator: " AND ")
    let conditions = ["b.\(keys[0]) IS NULL"] + differences
    let count = connection.number(
      "SELECT count(*) FROM main.\(table) a LEFT JOIN other.\(table) b ON \(same) "
        + "WHERE \(conditions.joined(separator: " OR "))")
    let (rows, others) = (
      connection.number("SELECT count(*) FROM main.\(table)"), connection.number("SELECT count(*) FROM other.\(table)")
    )
    guard rows > 0, rows == others, count == 0 else {
      throw Failure(
        problem:
          "variant '\(variant.rawValue)': table '\(table)' has \(others) rows, expected \(rows); \(count) differ")
    }
  }
}
