/// A table of a store and its columns in order.
public struct TableLayout: Hashable, Sendable {
  /// One column.
  public struct Column: Hashable, Sendable {
    /// The column's name.
    public var name: String
    /// The declared type, which decides the column's affinity in SQLite.
    public var declaredType: String
  }

  /// The table's name.
  public var name: String
  /// The columns in order.
  public var columns: [Column]
  /// The primary key of a join table, which follows the columns.
  public var primaryKey: [String] = []

  /// The statement that creates the table.
  public var sql: String {
    var definitions = columns.map { column in
      "\(column.name) \(column.declaredType)"
    }
    if !primaryKey.isEmpty { definitions.append("PRIMARY KEY (\(primaryKey.joined(separator: ", ")))") }
    return "CREATE TABLE \(SQLName(name)) ( \(definitions.joined(separator: ", ")) )"
  }
}
