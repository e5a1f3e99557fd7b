import Foundation

/// A value as SQLite stores it, with its own copy of text and bytes.
package enum SQLiteValue: Hashable, Sendable {
  case null
  case integer(Int64)
  /// A floating-point number. SQLite has no NaN and stores it as NULL; infinities and the sign of zero are kept.
  case real(Double)
  case text(String)
  case blob(Data)
}

extension SQLiteValue {
  /// The value's storage class.
  package var type: SQLiteType {
    switch self {
    case .null: .null
    case .integer: .integer
    case .real: .real
    case .text: .text
    case .blob: .blob
    }
  }
}

extension SQLiteValue: ExpressibleByNilLiteral {
  /// Creates NULL.
  package init(nilLiteral: ()) { self = .null }
}

extension SQLiteValue: ExpressibleByIntegerLiteral {
  /// Creates an integer.
  package init(integerLiteral value: Int64) { self = .integer(value) }
}

extension SQLiteValue: ExpressibleByFloatLiteral {
  /// Creates a floating-point number.
  package init(floatLiteral value: Double) { self = .real(value) }
}

extension SQLiteValue: ExpressibleByStringLiteral {
  /// Creates a text value.
  package init(stringLiteral value: String) { self = .text(value) }
}
