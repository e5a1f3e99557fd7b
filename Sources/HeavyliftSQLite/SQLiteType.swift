import CSQLite

/// The storage class of a value, independent of its column's declared type: SQLite assigns types to values, not to
/// columns.
package enum SQLiteType: Hashable, Sendable, CaseIterable {
  case integer, real, text, blob, null

  init(_ fundamentalType: Int32) {
    switch fundamentalType {
    case SQLITE_INTEGER: self = .integer
    case SQLITE_FLOAT: self = .real
    case SQLITE_TEXT: self = .text
    case SQLITE_BLOB: self = .blob
    default: self = .null
    }
  }
}

extension SQLiteType: CustomStringConvertible {
  /// The name that SQL's `typeof()` returns.
  package var description: String {
    switch self {
    case .integer: "integer"
    case .real: "real"
    case .text: "text"
    case .blob: "blob"
    case .null: "null"
    }
  }
}
