public import Foundation

/// The result of evaluating an expression.
///
/// ```swift
/// let length = try CompiledExpression(expression, in: environment).evaluate(in: &context)
/// guard case .integer(let seconds) = length else { return }
/// ```
///
/// Booleans, integers, floating-point numbers and decimals are distinct, because division depends on the kind; `==`
/// compares them by value, as `isEqual:` does. Strings are equal if their scalars are: a composed letter is not equal
/// to its decomposed form.
public enum ExpressionValue {
  case null
  case bool(Bool)
  case integer(Int64)
  case double(Double)
  case decimal(Decimal)
  case string(String)
  case date(Date)
  case uuid(UUID)
  /// The text as stored: not every text in a store is a URL that `URL` preserves unchanged.
  case uri(String)
  case data(Data)
  case array([ExpressionValue])
  case set(DistinctValues)
  case orderedSet(DistinctValues)
  case dictionary([String: ExpressionValue])
  /// An object of a store, a migration manager or a policy: anything with keys that is compared by identity.
  case object(any ExpressionObject)
}

extension ExpressionValue {
  /// True if the value is nil.
  @inlinable public var isNull: Bool { if case .null = self { true } else { false } }

  /// The kind of value for messages, which do not contain the value itself.
  public var kind: String {
    switch self {
    case .null: "nil"
    case .bool: "a Boolean"
    case .integer: "an integer"
    case .double: "a floating-point number"
    case .decimal: "a decimal"
    case .string: "a string"
    case .date: "a date"
    case .uuid: "a UUID"
    case .uri: "a URI"
    case .data: "data"
    case .array: "an array"
    case .set: "a set"
    case .orderedSet: "an ordered set"
    case .dictionary: "a dictionary"
    case .object: "an object"
    }
  }

  /// The elements of an array, a set or an ordered set; nil for anything else, including dictionaries.
  public var elements: [ExpressionValue]? {
    switch self {
    case .array(let elements): elements
    case .set(let values), .orderedSet(let values): values.elements
    default: nil
    }
  }

  /// The object, if the value is one.
  public var object: (any ExpressionObject)? { if case .object(let object) = self { object } else { nil } }
}

extension ExpressionValue: ExpressibleByNilLiteral {
  /// Creates the null value.
  public init(nilLiteral: ()) { self = .null }
}

extension ExpressionValue: ExpressibleByBooleanLiteral {
  /// Creates a Boolean.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension ExpressionValue: ExpressibleByIntegerLiteral {
  /// Creates an integer.
  public init(integerLiteral value: Int64) { self = .integer(value) }
}

extension ExpressionValue: ExpressibleByFloatLiteral {
  /// Creates a floating-point number.
  public init(floatLiteral value: Double) { self = .double(value) }
}

extension ExpressionValue: ExpressibleByStringLiteral {
  /// Creates a string.
  public init(stringLiteral value: String) { self = .string(value) }
}

extension ExpressionValue: ExpressibleByArrayLiteral {
  /// Creates an array.
  public init(arrayLiteral elements: ExpressionValue...) { self = .array(elements) }
}
