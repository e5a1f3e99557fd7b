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
  public static var expressionKind: String { "a value" }
  public init?(expressionValue: ExpressionValue) { self = expressionValue }
  public var expressionValue: ExpressionValue { self }
}

extension Value: ExpressionConvertible {
  public static var expressionKind: String { "a value of an attribute" }
  public init?(expressionValue: ExpressionValue) { self.init(expressionValue) }
  public var expressionValue: ExpressionValue { ExpressionValue(self) }
}

extension Bool: ExpressionConvertible {
  public static var expressionKind: String { "a Boolean" }
  /// Any number is a Boolean, as `boolValue` has it: all but 0 are true.
  public init?(expressionValue: ExpressionValue) {
    guard let number = Number(expressionValue) else { return nil }
    self = number != .integer(0)
  }
  public var expressionValue: ExpressionValue { .bool(self) }
}

extension Int: ExpressionConvertible {
  public static var expressionKind: String { "a whole number" }
  public init?(expressionValue: ExpressionValue) {
    guard let value = Int64(expressionValue: expressionValue) else { return nil }
    self.init(exactly: value)
  }
  public var expressionValue: ExpressionValue { .integer(Int64(self)) }
}

extension Int64: ExpressionConvertible {
  public static var expressionKind: String { "a whole number" }
  /// A number with a fraction is none: cutting it off would lose data in silence.
  public init?(expressionValue: ExpressionValue) {
    guard let number = Number(expressionValue), let whole = number.truncated, number == .integer(whole) else {
      return nil
    }
    self = whole
  }
  public var expressionValue: ExpressionValue { .integer(self) }
}

extension Double: ExpressionConvertible {
  public static var expressionKind: String { "a number" }
  public init?(expressionValue: ExpressionValue) {
    guard let number = Number(expressionValue) else { return nil }
    self = number.double
  }
  public var expressionValue: ExpressionValue { .double(self) }
}

extension Decimal: ExpressionConvertible {
  public static var expressionKind: String { "a number that a decimal holds" }
  public init?(expressionValue: ExpressionValue) {
    switch Number(expressionValue) {
    case .integer(let value): self.init(value)
    case .decimal(let value): self = value
    case .double(let value): self.init(shortest: value)
    case nil: return nil
    }
  }
  public var expressionValue: ExpressionValue { .decimal(self) }
}

extension String: ExpressionConvertible {
  public static var expressionKind: String { "a string" }
  public init?(expressionValue: ExpressionValue) {
    guard case .string(let text) = expressionValue else { return nil }
    self = text
  }
  public var expressionValue: ExpressionValue { .string(self) }
}

extension Date: ExpressionConvertible {
  public static var expressionKind: String { "a date" }
  public init?(expressionValue: ExpressionValue) {
    guard case .date(let date) = expressionValue else { return nil }
    self = date
  }
  public var expressionValue: ExpressionValue { .date(self) }
}

extension UUID: ExpressionConvertible {
  public static var expressionKind: String { "a UUID" }
  public init?(expressionValue: ExpressionValue) {
    guard case .uuid(let uuid) = expressionValue else { return nil }
    self = uuid
  }
  public var expressionValue: ExpressionValue { .uuid(self) }
}

extension Data: ExpressionConvertible {
  public static var expressionKind: String { "data" }
  public init?(expressionValue: ExpressionValue) {
    guard case .data(let data) = expressionValue else { return nil }
    self = data
  }
  public var expressionValue: ExpressionValue { .data(self) }
}

extension Optional: ExpressionConvertible where Wrapped: ExpressionConvertible {
  public static var expressionKind: String { "\(Wrapped.expressionKind) or nil" }
  public init?(expressionValue: ExpressionValue) {
    if expressionValue.isNull {
      self = Wrapped?.none
    } else if let wrapped = Wrapped(expressionValue: expressionValue) {
      self = .some(wrapped)
    } else {
      return nil
    }
  }
  public var expressionValue: ExpressionValue { self?.expressionValue ?? .null }
}

extension Array: ExpressionConvertible where Element: ExpressionConvertible {
  public static var expressionKind: String { "a collection, each element \(Element.expressionKind)" }
  public init?(expressionValue: ExpressionValue) {
    guard let elements = expressionValue.elements else { return nil }
    var converted: [Element] = []
    for element in elements {
      guard let element = Element(expressionValue: element) else { return nil }
      converted.append(element)
    }
    self = converted
  }
  public var expressionValue: ExpressionValue { .array(map(\.expressionValue)) }
}
