import Foundation

/// A value as SQLite stores it: a binding of a translated expression, or an argument or result of its functions.
package enum SQLValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob(Data)
}

extension SQLValue {
  /// Represents NaN between two functions: SQLite would turn NaN into NULL, which means nil.
  static let notANumber = SQLValue.blob(Data("NaN".utf8))

  /// Creates the stored form of a value; returns `nil` if no column can hold it.
  ///
  /// - Parameter marksNaN: True to distinguish NaN from NULL.
  init?(_ value: ExpressionValue, marksNaN: Bool) {
    switch value {
    case .null: self = .null
    case .bool(let value): self = .integer(value ? 1 : 0)
    case .integer(let value): self = .integer(value)
    case .double(let value): self = value.isNaN ? (marksNaN ? .notANumber : .null) : .real(value)
    case .decimal(let value): self = SQLValue(value)
    case .string(let value), .uri(let value): self = .text(value)
    case .date(let value):
      let seconds = value.timeIntervalSinceReferenceDate
      self = seconds.isNaN ? (marksNaN ? .notANumber : .null) : .real(seconds)
    case .uuid(let value): self = .blob(withUnsafeBytes(of: value.uuid) { Data($0) })
    case .data(let value): self = .blob(value)
    case .array, .set, .orderedSet, .dictionary, .object: return nil
    }
  }

  /// Returns the expression value of a kind for this SQL value.
  ///
  /// - Throws: `UnexpectedSQLValue` for a column value that is invalid for its attribute.
  func decoded(as kind: SQLKind) throws(UnexpectedSQLValue) -> ExpressionValue {
    switch (self, kind) {
    case (.null, _): return .null
    case (.integer(let value), .bool): return .bool(value != 0)
    case (.integer(let value), .integer), (.integer(let value), .number): return .integer(value)
    case (.integer(let value), .double): return .double(Double(value))
    case (.real(let value), .double), (.real(let value), .number): return .double(value)
    case (.blob, .double), (.blob, .number): if self == .notANumber { return .double(.nan) }
    case (.integer(let value), .date): return .date(Date(timeIntervalSinceReferenceDate: Double(value)))
    case (.real(let value), .date): return .date(Date(timeIntervalSinceReferenceDate: value))
    case (.blob, .date): if self == .notANumber { return .date(Date(timeIntervalSinceReferenceDate: .nan)) }
    case (_, .decimal): if let decimal { return .decimal(decimal) }
    case (.text(let value), .string): return .string(value)
    case (.text(let value), .uri): return .uri(value)
    case (.blob(let bytes), .uuid): if let uuid = UUID(bytes: bytes) { return .uuid(uuid) }
    case (.blob(let value), .data): return .data(value)
    default: break
    }
    throw UnexpectedSQLValue(expected: kind.phrase)
  }
}

/// The error for a column value that is invalid for its attribute; the message does not contain the value.
package struct UnexpectedSQLValue: Error, Hashable, Sendable {
  package var expected: String
}

extension UUID {
  fileprivate init?(bytes: Data) {
    guard bytes.count == 16 else { return nil }
    self = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}
