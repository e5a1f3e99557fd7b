import HeavyliftModel

/// A number, a Boolean or nil, stored without allocating memory.
///
/// Most arithmetic and most tests need nothing else, and take a fraction of the time that they take with an
/// `ExpressionValue`: nothing is retained, copied or released. Any other value is `other`, which means that the
/// `ExpressionValue` is needed.
public enum ExpressionScalar: Hashable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case double(Double)
  /// Not a scalar.
  case other
}

extension ExpressionScalar {
  /// Creates the scalar for a value, or `other`.
  @inlinable public init(_ value: ExpressionValue) {
    switch value {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .integer(let value): self = .integer(value)
    case .double(let value): self = .double(value)
    default: self = .other
    }
  }

  /// Creates the scalar for an attribute value, or `other`.
  @inlinable public init(_ value: Value) {
    switch value {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .integer(let value): self = .integer(value)
    case .double(let value): self = .double(value)
    default: self = .other
    }
  }

  /// The value of the scalar; nil for `other`.
  var value: ExpressionValue? {
    switch self {
    case .null: .null
    case .bool(let value): .bool(value)
    case .integer(let value): .integer(value)
    case .double(let value): .double(value)
    case .other: nil
    }
  }
}
