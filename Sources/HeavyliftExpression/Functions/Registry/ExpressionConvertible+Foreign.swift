public import Foundation

// What functions of Core Data's policies take and give besides: the numbers of smaller attributes, URLs and sets.

extension Int16: ExpressionConvertible {
  /// What stands in messages.
  public static var expressionKind: String { "a whole number of 16 bits" }
  /// Creates one out of a value of that kind.
  public init?(expressionValue: ExpressionValue) {
    guard let value = Int64(expressionValue: expressionValue) else { return nil }
    self.init(exactly: value)
  }
  /// The value for an expression.
  public var expressionValue: ExpressionValue { .integer(Int64(self)) }
}

extension Int32: ExpressionConvertible {
  /// What stands in messages.
  public static var expressionKind: String { "a whole number of 32 bits" }
  /// Creates one out of a value of that kind.
  public init?(expressionValue: ExpressionValue) {
    guard let value = Int64(expressionValue: expressionValue) else { return nil }
    self.init(exactly: value)
  }
  /// The value for an expression.
  public var expressionValue: ExpressionValue { .integer(Int64(self)) }
}

extension Float: ExpressionConvertible {
  /// What stands in messages.
  public static var expressionKind: String { "a number" }
  /// The nearest number that a Float holds.
  public init?(expressionValue: ExpressionValue) {
    guard let value = Double(expressionValue: expressionValue) else { return nil }
    self.init(value)
  }
  /// The value for an expression.
  public var expressionValue: ExpressionValue { .double(Double(self)) }
}

extension URL: ExpressionConvertible {
  /// What stands in messages.
  public static var expressionKind: String { "a URI that is a URL" }
  /// A URI that `URL` does not give back as it was is none: it would come out another one.
  public init?(expressionValue: ExpressionValue) {
    guard case .uri(let text) = expressionValue, let url = URL(string: text), url.absoluteString == text else {
      return nil
    }
    self = url
  }
  /// The value for an expression.
  public var expressionValue: ExpressionValue { .uri(absoluteString) }
}

extension Set: ExpressionConvertible where Element: ExpressionConvertible {
  /// What stands in messages.
  public static var expressionKind: String { "a collection, each element \(Element.expressionKind)" }
  /// Creates one out of a value of that kind.
  public init?(expressionValue: ExpressionValue) {
    guard let elements = [Element](expressionValue: expressionValue) else { return nil }
    self.init(elements)
  }
  /// The value for an expression.
  public var expressionValue: ExpressionValue { .set(DistinctValues(map(\.expressionValue))) }
}
