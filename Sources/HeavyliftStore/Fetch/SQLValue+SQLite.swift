import HeavyliftExpression
import HeavyliftSQLite

extension SQLValue {
  /// Creates a value of a translated expression from SQLite's value.
  init(_ value: SQLiteValue) {
    switch value {
    case .null: self = .null
    case .integer(let value): self = .integer(value)
    case .real(let value): self = .real(value)
    case .text(let value): self = .text(value)
    case .blob(let value): self = .blob(value)
    }
  }
}

extension SQLiteValue {
  /// Creates SQLite's value from a value of a translated expression.
  init(_ value: SQLValue) {
    switch value {
    case .null: self = .null
    case .integer(let value): self = .integer(value)
    case .real(let value): self = .real(value)
    case .text(let value): self = .text(value)
    case .blob(let value): self = .blob(value)
    }
  }
}
