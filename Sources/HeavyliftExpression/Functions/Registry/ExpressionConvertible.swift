public import Foundation
public import HeavyliftModel

/// A Swift type that functions of expressions take or give.
public protocol ExpressionConvertible: SendableMetatype {
  /// What stands in messages: "a string".
  static var expressionKind: String { get }

  /// Creates one out of a value, or nil if the value is of another kind.
  init?(expressionValue: ExpressionValue)

  /// The value for an expression.
  var expressionValue: ExpressionValue { get }
}

extension ExpressionValue: ExpressionConvertible {
  /// What stands in messages.
  public static var expressionKind: String { "a value" }
  /// Creates one out of a value of that kind.
  public init?(expressionValue: ExpressionValue) { self = expressionValue }
  /// The value for an expression.
  public var expressionValue: ExpressionValue { self }
}

extension Value: ExpressionConvertible {
  /// What stands in messages.
  public static var expressionKind: String { "a value of an attribute" }
  /// Creates one out of a value of that kind.
  public init?(expressionValue: ExpressionValue) { self.init(expressionValue) }
  /// The value for an expression.
  public var expressionValue: ExpressionValue { ExpressionValue(self) }
}

extension Bool: ExpressionConvertible {
  /// What stands in messages.
  public static var expressionKind: String { "a Boolean" }
  /// Any number is a Boolean, as `boolValue` has it: all but 0 are true.
  public init?(expressionValue: ExpressionValue) {
    guard let number = Number(expressionValue) else { return nil }
    self = number != .integer(0)
  }
  /// The value for an expression.
  public var expressionValue: ExpressionValue { .bool(self) }
}

extension Int: ExpressionConvertible {
  /// What stands in messages.
  public static var expressionKind: String { "a whole number" }
  /// Creates one out of a value of that kind.
  public init?(expressionValue: ExpressionValue) {
    guard let value = Int64(expressionValue: expressionValue) else { return nil }
    self.init(exactly: value)
  }
  /// The value for an expression.
  public var expressionValue: ExpressionValue { .integer(Int64(self)) }
}

extension Int64: ExpressionConvertible {
  /// What stands in messages.
  public static var expressionKind: String { "a whole number" }
  /// A number with a fraction is none: cutting it off would lose data in silence.
  public init?(expressionValue: ExpressionValue) {
    guard let number = Number(expressionValue), let whole = number.truncated, number == .integer(whole) else {
      return nil
    }
    self = whole
  }
  /// The value for an expression.
  public var expressionValue: ExpressionValue { .integer(self) }
}

extension Double: ExpressionConvertible {
  /// What stands in messages.
  public static var expressionKind: String { "a number" }
  /// Creates one out of a value of that kind.
  public init?(expressionValue: ExpressionValue) {
    guard let number = Number(expressionValue) else { return nil }
    self = number.double
  }
  /// The value for an expression.
  public var expressionValue: ExpressionValue { .double(self) }
}

extension Decimal: ExpressionConvertible {
  /// What stands in messages.
  public static var expressionKind: String { "a number that a decimal holds" }
  /// Creates one out of a value of that kind.
  public init?(expressionValue: ExpressionValue) {
    switch Number(expressionValue) {
    case .integer(let value): self.init(value)
    case .decimal(let value): self = value
    case .double(let value): self.init(shortest: value)
    case nil: return nil
    }
  }
  /// The value for an expression.
  public var expressionValue: ExpressionValue { .decimal(self) }
}

extension String: ExpressionConvertible {
  /// What stands in messages.
  public static var expressionKind: String { "a string" }
  /// Creates one out of a value of that kind.
  public init?(expressionValue: ExpressionValue) {
    guard case .string(let text) = expressionValue else { return nil }
    self = text
  }
  /// The value for an expression.
  public var expressionValue: ExpressionValue { .string(self) }
}

extension Date: ExpressionConvertible {
  /// What stands in messages.
  public static var expressionKind: String { "a date" }
  /// Creates one out of a value of that kind.
  public init?(expressionValue: ExpressionValue) {
    guard case .date(let date) = expressionValue else { return nil }
    self = date
  }
  /// The value for an expression.
  public var expressionValue: ExpressionValue { .date(self) }
}

extension UUID: ExpressionConvertible {
  /// What stands in messages.
  public static var expressionKind: String { "a UUID" }
  /// Creates one out of a value of that kind.
  public init?(expressionValue: ExpressionValue) {
    guard case .uuid(let uuid) = expressionValue else { return nil }
    self = uuid
  }
  /// The value for an expression.
  public var expressionValue: ExpressionValue { .uuid(self) }
}

extension Data: ExpressionConvertible {
  /// What stands in messages.
  public static var expressionKind: String { "data" }
  /// Creates one out of a value of that kind.
  public init?(expressionValue: ExpressionValue) {
    guard case .data(let data) = expressionValue else { return nil }
    self = data
  }
  /// The value for an expression.
  public var expressionValue: ExpressionValue { .data(self) }
}

extension Optional: ExpressionConvertible where Wrapped: ExpressionConvertible {
  /// What stands in messages.
  public static var expressionKind: String { "\(Wrapped.expressionKind) or nil" }
  /// Creates one out of a value of that kind.
  public init?(expressionValue: ExpressionValue) {
    if expressionValue.isNull {
      self = Wrapped?.none
    } else if let wrapped = Wrapped(expressionValue: expressionValue) {
      self = .some(wrapped)
    } else {
      return nil
    }
  }
  /// The value for an expression.
  public var expressionValue: ExpressionValue { self?.expressionValue ?? .null }
}

extension Array: ExpressionConvertible where Element: ExpressionConvertible {
  /// What stands in messages.
  public static var expressionKind: String { "a collection, each element \(Element.expressionKind)" }
  /// Creates one out of a value of that kind.
  public init?(expressionValue: ExpressionValue) {
    guard let elements = expressionValue.elements else { return nil }
    var converted: [Element] = []
    for element in elements {
      guard let element = Element(expressionValue: element) else { return nil }
      converted.append(element)
    }
    self = converted
  }
  /// The value for an expression.
  public var expressionValue: ExpressionValue { .array(map(\.expressionValue)) }
}
