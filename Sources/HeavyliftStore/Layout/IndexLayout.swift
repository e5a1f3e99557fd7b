/// An index of a store.
public struct IndexLayout: Hashable, Sendable {
  /// One indexed column.
  public struct Column: Hashable, Sendable {
    /// The column's name.
    public var name: String
    /// `ASC` or `DESC` for an index that the model declares, which also gets `COLLATE BINARY`; otherwise nil.
    public var order: String?
  }

  /// The index's name.
  public var name: String
  /// The indexed table.
  public var tableName: String
  /// The indexed columns in order.
  public var columns: [Column]
  /// A Boolean value that indicates whether the index enforces a uniqueness constraint.
  public var isUnique: Bool = false

  /// The statement that creates the index.
  public var sql: String {
    let list = columns.map { column in
      column.order.map { "\(column.name) COLLATE BINARY \($0)" } ?? column.name
    }
    return "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(SQLName(name)) ON \(SQLName(tableName)) "
      + "(\(list.joined(separator: ", ")))"
  }
}
