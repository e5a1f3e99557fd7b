/// An expression or a predicate as a part of a SQL statement.
///
/// ```swift
/// let fragment = try SQLTranslator(schema: schema, entity: "Book").translate(predicate)
/// let sql = "SELECT t0.Z_PK FROM ZBOOK t0 \(fragment.joinText) WHERE \(fragment.sql)"
/// ```
///
/// The row is `t0`; every `?` stands for one of the bindings, in their order.
public struct SQLFragment: Sendable {
  /// A table that must stand behind the row's, to the left of which nothing may be lost.
  public struct Join: Hashable, Sendable {
    public var table: String
    /// The name under which the table's file is attached, if it is.
    public var database: String?
    public var alias: String
    public var keyColumn: String
    /// The key's expression: a column of a table that comes earlier.
    public var key: String

    /// `LEFT JOIN ZAUTHOR e1 ON e1.Z_PK = t0.ZAUTHOR`
    public var text: String {
      "LEFT JOIN \(quoted(table, in: database)) \(alias) ON \(alias).\(quoted(keyColumn)) = \(key)"
    }
  }

  /// One expression. That of a predicate is 1 or 0, or NULL for 0 where it says so.
  public var sql: String
  public var bindings: [SQLValue]
  /// In the order in which they must stand.
  public var joins: [Join]
  /// To be registered before the statement is prepared.
  public var functions: [SQLFunction]
  public var kind: SQLKind
  /// Whether evaluation can end in an error, so that no row may be asked that the evaluator would not ask.
  public var mayFail: Bool
  /// Whether the value can be what is no number, for which SQLite has NULL.
  public var mayBeNaN = false
  /// Whether the value can be NULL. That it cannot is known of little more than constants, and of choices among them.
  public var mayBeNull = true

  /// The joins as they stand in a statement.
  public var joinText: String { joins.map(\.text).joined(separator: " ") }

  /// What the evaluator calls a value that the statement gave. What is no number comes back as nil, as out of any store.
  ///
  /// - Throws: `UnexpectedSQLValue`
  public func value(_ value: SQLValue) throws(UnexpectedSQLValue) -> ExpressionValue {
    if kind.isObject, case .integer(let key) = value { return .integer(key) }
    return try value.decoded(as: kind)
  }
}
