public import Foundation
public import HeavyliftModel

/// A Swift type for arguments and results of expression functions.
public protocol ExpressionConvertible: SendableMetatype {
  /// The name of the type in messages, such as "a string".
  static var expressionKind: String { get }

  /// Creates an instance from an expression value; returns `nil` if the value is of an unsuitable kind.
  init?(expressionValue: ExpressionValue)

  /// The expression value.
  var expressionValue: ExpressionValue { get }
}

extension ExpressionValue: ExpressionConvertible {
  /// The name of the type in messages.
  public static var expressionKind: String { "a value" }
  /// Creates an instance from an expression value of a suitable kind.
  public init?(expressionValue: ExpressionValue) { self = expressionValue }
  /// The expression value.
  public var expressionValue: ExpressionValue { self }
}

extension Value: ExpressionConvertible {
  /// The name of the type in messages.
  public static var expressionKind: String { "a value of an attribute" }
  /// Creates an instance from an expression value of a suitable kind.
  public init?(expressionValue: ExpressionValue) { self.init(expressionValue) }
  /// The expression value.
  public var expressionValue: ExpressionValue { ExpressionValue(self) }
}

extension Bool: ExpressionConvertible {
  /// The name of the type in messages.
  public static var expressionKind: String { "a Boolean" }
  /// Creates a Boolean from any number, like `boolValue`: every number except 0 is true.
  public init?(expressionValue: ExpressionValue) {
    guard let number = Number(expressionValue) else { return nil }
    self = number != .integer(0)
  }
  /// The expression value.
  public var expressionValue: ExpressionValue { .bool(self) }
}

extension Int: ExpressionConvertible {
  /// The name of the type in messages.
  public static var expressionKind: String { "a whole number" }
  /// Creates an instance from an expression value of a suitable kind.
  public init?(expressionValue: ExpressionValue) {
    guard let value = Int64(expressionValue: expressionValue) else { return nil }
    self.init(exactly: value)
  }
  /// The expression value.
  public var expressionValue: ExpressionValue { .integer(Int64(self)) }
}

extension Int64: ExpressionConvertible {
  /// The name of the type in messages.
  public static var expressionKind: String { "a whole number" }
  /// Returns `nil` for a number with a fraction: truncating it would silently lose data.
  public init?(expressionValue: ExpressionValue) {
    guard let number = Number(expressionValue), let whole = number.truncated, number == .integer(whole) else {
      return nil
    }
    self = whole
  }
  /// The expression value.
  public var expressionValue: ExpressionValue { .integer(self) }
}

extension Double: ExpressionConvertible {
  /// The name of the type in messages.
  public static var expressionKind: String { "a number" }
  /// Creates an instance from an expression value of a suitable kind.
  public init?(expressionValue: ExpressionValue) {
    guard let number = Number(expressionValue) else { return nil }
    self = number.double
  }
  /// The expression value.
  public var expressionValue: ExpressionValue { .double(self) }
}

extension Decimal: ExpressionConvertible {
  /// The name of the type in messages.
  public static var expressionKind: String { "a number that a decimal can hold" }
  /// Creates an instance from an expression value of a suitable kind.
  public init?(expressionValue: ExpressionValue) {
    switch Number(expressionValue) {
    case .integer(let value): self.init(value)
    case .decimal(let value): self = value
    case .double(let value): self.init(shortest: value)
    case nil: return nil
    }
  }
  /// The expression value.
  public var expressionValue: ExpressionValue { .decimal(self) }
}

extension String: ExpressionConvertible {
  /// The name of the type in messages.
  public static var expressionKind: String { "a string" }
  /// Creates an instance from an expression value of a suitable kind.
  public init?(expressionValue: ExpressionValue) {
    guard case .string(let text) = expressionValue else { return nil }
    self = text
  }
  /// The expression value.
  public var expressionValue: ExpressionValue { .string(self) }
}

extension Date: ExpressionConvertible {
  /// The name of the type in messages.
  public static var expressionKind: String { "a date" }
  /// Creates an instance from an expression value of a suitable kind.
  public init?(expressionValue: ExpressionValue) {
    guard case .date(let date) = expressionValue else { return nil }
    self = date
  }
  /// The expression value.
  public var expressionValue: ExpressionValue { .date(self) }
}

extension UUID: ExpressionConvertible {
  /// The name of the type in messages.
  public static var expressionKind: String { "a UUID" }
  /// Creates an instance from an expression value of a suitable kind.
  public init?(expressionValue: ExpressionValue) {
    guard case .uuid(let uuid) = expressionValue else { return nil }
    self = uuid
  }
  /// The expression value.
  public var expressionValue: ExpressionValue { .uuid(self) }
}

extension Data: ExpressionConvertible {
  /// The name of the type in messages.
  public static var expressionKind: String { "data" }
  /// Creates an instance from an expression value of a suitable kind.
  public init?(expressionValue: ExpressionValue) {
    guard case .data(let data) = expressionValue else { return nil }
    self = data
  }
  /// The expression value.
  public var expressionValue: ExpressionValue { .data(self) }
}

extension Optional: ExpressionConvertible where Wrapped: ExpressionConvertible {
  /// The name of the type in messages.
  public static var expressionKind: String { "\(Wrapped.expressionKind) or nil" }
  /// Creates an instance from an expression value of a suitable kind.
  public init?(expressionValue: ExpressionValue) {
    if expressionValue.isNull {
      self = Wrapped?.none
    } else if let wrapped = Wrapped(expressionValue: expressionValue) {
      self = .some(wrapped)
    } else {
      return nil
    }
  }
  /// The expression value.
  public var expressionValue: ExpressionValue { self?.expressionValue ?? .null }
}

extension Array: ExpressionConvertible where Element: ExpressionConvertible {
  /// The name of the type in messages.
  public static var expressionKind: String { "a collection in which each element is \(Element.expressionKind)" }
  /// Creates an instance from an expression value of a suitable kind.
  public init?(expressionValue: ExpressionValue) {
    guard let elements = expressionValue.elements else { return nil }
    var converted: [Element] = []
    for element in elements {
      guard let element = Element(expressionValue: element) else { return nil }
      converted.append(element)
    }
    self = converted
  }
  /// The expression value.
  public var expressionValue: ExpressionValue { .array(map(\.expressionValue)) }
}
