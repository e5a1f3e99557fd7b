import Foundation
import HeavyliftExpression
import HeavyliftSQLite

/// How a decimal number is kept in a column without losing a digit: the same way for rows and for translated expressions.
enum StoredDecimal {
  static func encode(_ decimal: Decimal) -> SQLiteValue { SQLiteValue(SQLValue(decimal)) }

  static func decode(_ value: SQLiteValue) -> Decimal? { SQLValue(value).decimal }
}
