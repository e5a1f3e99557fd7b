import HeavyliftModel
import HeavyliftSQLite

/// Rows with the number of another entity in a table that has only one. They are read like the table's other rows.
///
/// ```swift
/// for rows in try store.misnumberedRows() { print(rows.table, rows.count) }
/// ```
public struct MisnumberedRows: Hashable, Sendable {
  /// The table's only entity.
  public var entity: String
  /// The table's name.
  public var table: String
  /// The number of such rows.
  public var count: Int

  /// Creates an entry.
  public init(entity: String, table: String, count: Int) {
    (self.entity, self.table, self.count) = (entity, table, count)
  }
}

extension PersistentStore {
  /// Returns the rows with the number of another entity, by table, sorted by entity. Reads all tables with one entity.
  public func misnumberedRows() throws -> [MisnumberedRows] {
    try reporting {
      try layout.entities.filter(\.ownsTable).compactMap { entity in
        guard
          case .integer(let count)? = try database.firstValue(
            "SELECT count(*) FROM \(SQLName(entity.tableName)) WHERE Z_ENT IS NOT \(entity.number)"), count > 0
        else { return nil }
        return MisnumberedRows(entity: entity.name, table: entity.tableName, count: Int(count))
      }.sorted { $0.entity < $1.entity }
    }
  }
}

extension [MisnumberedRows] {
  /// Returns one warning about all rows in the list; `nil` if the list is empty.
  public var diagnostic: Diagnostic? {
    guard !isEmpty else { return nil }
    let total = reduce(0) { $0 + $1.count }
    return Diagnostic(
      .warning, code: "store.unknown-entity-number",
      problem: (total == 1 ? "1 row has" : "\(total.grouped) rows have")
        + " the number of another entity than the only one of the table: "
        + map { "\($0.count) in \($0.table)" }.joined(separator: ", "),
      remedy: "nothing needs to be done: they are read as objects of "
        + map { "'\($0.entity)'" }.joined(separator: ", ") + ", and a migration gives them its number")
  }
}
