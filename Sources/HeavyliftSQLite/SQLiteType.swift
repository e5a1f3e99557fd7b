import CSQLite

/// How a value is stored, whatever its column was declared as: SQLite types values, not columns.
public enum SQLiteType: Hashable, Sendable, CaseIterable {
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
  /// As SQL's `typeof()` says it.
  public var description: String {
    switch self {
    case .integer: "integer"
    case .real: "real"
    case .text: "text"
    case .blob: "blob"
    case .null: "null"
    }
  }
}
