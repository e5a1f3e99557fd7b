public import HeavyliftModel

/// A number, a Boolean or nil, held without any memory of its own.
///
/// Most arithmetic and most tests are about nothing else, and cost a fraction of what they cost with values: nothing is
/// counted, copied or let go of. Whatever is no scalar is `other`, and then the value itself has to be asked for.
public enum ExpressionScalar: Hashable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case double(Double)
  /// Not a scalar.
  case other
}

extension ExpressionScalar {
  /// Creates the scalar that a value is, or `other`.
  @inlinable public init(_ value: ExpressionValue) {
    switch value {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .integer(let value): self = .integer(value)
    case .double(let value): self = .double(value)
    default: self = .other
    }
  }

  /// Creates the scalar that an attribute holds, or `other`.
  @inlinable public init(_ value: Value) {
    switch value {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .integer(let value): self = .integer(value)
    case .double(let value): self = .double(value)
    default: self = .other
    }
  }

  /// The value that the scalar is; nil for `other`, which does not tell.
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
