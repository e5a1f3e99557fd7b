/// SQL with a `?` for every value, and the values in the same order.
///
/// Values can only be added by interpolation, so that none is ever spliced into the text.
struct SQLText: Hashable, Sendable, ExpressibleByStringInterpolation {
  private(set) var sql: String
  private(set) var bindings: [SQLValue]
  private(set) var sources = SQLSources()

  init(stringLiteral value: String) { (sql, bindings) = (value, []) }

  init(stringInterpolation: StringInterpolation) {
    (sql, bindings) = (stringInterpolation.sql, stringInterpolation.bindings)
    sources = stringInterpolation.sources
  }

  /// Creates a reference to a column of a table in the statement.
  init(column: String, of alias: String) {
    (sql, bindings) = ("\(alias).\(SQLName(column))", [])
    if alias == SQLTranslation.rowAlias { sources = SQLSources(rowColumn: column) }
  }

  /// The same text, marked as a sub-select.
  var asSubquery: SQLText {
    var copy = self
    copy.sources.readsOtherRows = true
    return copy
  }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var sql = ""
    fileprivate var bindings: [SQLValue] = []
    fileprivate var sources = SQLSources()

    init(literalCapacity: Int, interpolationCount: Int) { sql.reserveCapacity(literalCapacity * 2) }

    mutating func appendLiteral(_ literal: String) { sql += literal }

    mutating func appendInterpolation(_ text: SQLText) {
      sql += text.sql
      bindings += text.bindings
      if text.sources.readsOtherRows { sources.readsOtherRows = true }
    }

    mutating func appendInterpolation(_ value: SQLValue) {
      sql += "?"
      bindings.append(value)
    }

    /// Appends a name or a keyword, never a value.
    mutating func appendInterpolation(raw text: String) { sql += text }
  }
}

/// A column that an expression reads.
package struct SQLRead: Hashable, Sendable {
  /// The entity, or one of its ancestors, of the object that is read.
  package var entity: String
  package var column: String
  /// True if the row itself is read, and not one that a relationship leads to.
  package var isOfRow: Bool
}

/// The data that an expression reads.
package struct SQLSources: Hashable, Sendable {
  /// The column of the row, if the whole expression is just that column.
  package var rowColumn: String?
  /// True if a sub-select reads other rows. Rows that are only joined do not count.
  package var readsOtherRows = false

  /// Creates a description; by default, of an expression that reads nothing.
  package init(rowColumn: String? = nil) { self.rowColumn = rowColumn }
}

extension Sequence<SQLText> {
  func joined(by separator: String) -> SQLText {
    var result: SQLText = ""
    for (index, part) in enumerated() {
      result = index == 0 ? part : "\(result)\(raw: separator)\(part)"
    }
    return result
  }
}
