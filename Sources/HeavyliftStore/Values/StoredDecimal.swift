import Foundation
import HeavyliftExpression
import HeavyliftSQLite

/// The lossless stored form of a decimal number, for rows and for translated expressions.
enum StoredDecimal {
  static func encode(_ decimal: Decimal) -> SQLiteValue { SQLiteValue(SQLValue(decimal)) }

  static func decode(_ value: SQLiteValue) -> Decimal? { SQLValue(value).decimal }
}
