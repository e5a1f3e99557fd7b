import HeavyliftSQLite

@testable import HeavyliftStore

extension Database {
  /// The tables, indexes, triggers and views of a store as lines of text, whatever order the columns have in a table.
  func schemaTexts() throws -> [String] {
    try schemaObjects().filter { !$0.name.hasPrefix("sqlite_") }.map { object in
      switch object.type {
      case .table:
        let columns = try columns(of: object.name).map { "\($0)" }.sorted()
        return "table \(object.name): \(columns.joined(separator: ", "))"
      case .index:
        let index = try indexes(of: object.tableName).first { $0.name == object.name }
        return "index \(object.name) of \(object.tableName): \(index.map { "\($0)" } ?? "nil")"
      case .trigger, .view: return "\(object.type) \(object.name): \(object.sql ?? "")"
      }
    }.sorted()
  }
}
