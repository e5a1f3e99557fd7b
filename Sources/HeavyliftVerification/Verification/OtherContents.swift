/// The contents of a store besides the objects of its model: the store's identity, and tables that are not Core Data's.
///
/// A migration copies them unchanged.
package struct OtherContents: Hashable, Sendable {
  /// A difference between the old store and the new one.
  package enum Difference: Hashable, Sendable, CustomStringConvertible {
    /// The UUID, which is part of every object's URI.
    case identifier
    /// A value in the metadata that is not Core Data's.
    case metadata(key: String)
    /// `user_version` or `application_id`.
    case number(name: String, expected: Int64, found: Int64)
    /// A table that the new store lacks.
    case missingTable(String)
    /// A table that the old store does not have.
    case unexpectedTable(String)
    /// A table with other columns or constraints.
    case definition(table: String)
    /// Rows that are missing, new or different.
    case rows(table: String, missing: Int, added: Int, changed: Int)
    /// The next key of a table with `AUTOINCREMENT`.
    case sequence(table: String)

    package var description: String {
      switch self {
      case .identifier: "the store's UUID has changed"
      case .metadata(let key): "the value of '\(key)' in the metadata has changed"
      case .number(let name, let expected, let found): "\(name) is \(found), not \(expected)"
      case .missingTable(let name): "table '\(name)' is missing"
      case .unexpectedTable(let name): "table '\(name)' is not in the old store"
      case .definition(let table): "table '\(table)' is declared differently"
      case .rows(let table, let missing, let added, let changed):
        "rows of table '\(table)': "
          + [(missing, "missing"), (added, "new"), (changed, "changed")].filter { $0.0 > 0 }
          .map { "\($0.0) \($0.1)" }.joined(separator: ", ")
      case .sequence(let table): "the next key of table '\(table)' has changed"
      }
    }
  }

  /// The number of compared rows of each table.
  package internal(set) var rows: [String: Int] = [:]
  /// The differences.
  package internal(set) var differences: [Difference] = []
  /// Tables that were not compared, with the reason.
  package internal(set) var skippedTables: [String: String] = [:]
}
