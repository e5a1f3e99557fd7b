/// An expression or a predicate as a part of a SQL statement.
///
/// ```swift
/// let fragment = try SQLTranslator(schema: schema, entity: "Book").translate(predicate)
/// let sql = "SELECT t0.Z_PK FROM ZBOOK t0 \(fragment.joinText) WHERE \(fragment.sql)"
/// ```
///
/// `t0` is the alias of the row's table. Each `?` takes one of the bindings, in order.
package struct SQLFragment: Sendable {
  /// A table that must be joined after the row's table with an outer join, so that no row is lost.
  package struct Join: Hashable, Sendable {
    package var table: String
    /// The name of the attached database that contains the table, if any.
    package var database: String?
    package var alias: String
    package var keyColumn: String
    /// The expression that `keyColumn` must equal: a column of an earlier table.
    package var key: String

    /// `LEFT JOIN ZAUTHOR e1 ON e1.Z_PK = t0.ZAUTHOR`
    package var text: String {
      "LEFT JOIN \(SQLName(table, in: database)) \(alias) ON \(alias).\(SQLName(keyColumn)) = \(key)"
    }
  }

  /// The SQL expression. A predicate gives 1 or 0; if `mayBeNull` is true, it can also give NULL instead of 0.
  package var sql: String
  package var bindings: [SQLValue]
  /// The joins in the required order.
  package var joins: [Join]
  /// The functions to register before preparing the statement.
  package var functions: [SQLFunction]
  package var kind: SQLKind
  /// True if evaluation can fail, so that it must not run for rows that the evaluator would skip.
  package var mayFail: Bool
  /// True if the value can be NaN, which SQLite turns into NULL.
  package var mayBeNaN = false
  /// True if the value can be NULL. Only constants and choices between constants are known to be non-NULL.
  package var mayBeNull = true

  /// The data that the expression reads.
  package var sources = SQLSources()
  /// The columns that the expression reads.
  package var reads: Set<SQLRead> = []

  /// The joins as written in a statement.
  package var joinText: String { joins.map(\.text).joined(separator: " ") }

  /// Converts a result of the statement to the evaluator's value. NaN becomes nil, as in any store.
  ///
  /// - Throws: `UnexpectedSQLValue`
  package func value(_ value: SQLValue) throws(UnexpectedSQLValue) -> ExpressionValue {
    if kind.isObject, case .integer(let key) = value { return .integer(key) }
    return try value.decoded(as: kind)
  }
}
