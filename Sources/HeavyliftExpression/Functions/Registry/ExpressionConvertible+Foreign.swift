public import Foundation

// More types for functions of Core Data policies: smaller number types, URLs and sets.

extension Int16: ExpressionConvertible {
  /// The name of the type in messages.
  public static var expressionKind: String { "a 16-bit whole number" }
  /// Creates an instance from an expression value of a suitable kind.
  public init?(expressionValue: ExpressionValue) {
    guard let value = Int64(expressionValue: expressionValue) else { return nil }
    self.init(exactly: value)
  }
  /// The expression value.
  public var expressionValue: ExpressionValue { .integer(Int64(self)) }
}

extension Int32: ExpressionConvertible {
  /// The name of the type in messages.
  public static var expressionKind: String { "a 32-bit whole number" }
  /// Creates an instance from an expression value of a suitable kind.
  public init?(expressionValue: ExpressionValue) {
    guard let value = Int64(expressionValue: expressionValue) else { return nil }
    self.init(exactly: value)
  }
  /// The expression value.
  public var expressionValue: ExpressionValue { .integer(Int64(self)) }
}

extension Float: ExpressionConvertible {
  /// The name of the type in messages.
  public static var expressionKind: String { "a number" }
  /// Creates the `Float` that is nearest to a number.
  public init?(expressionValue: ExpressionValue) {
    guard let value = Double(expressionValue: expressionValue) else { return nil }
    self.init(value)
  }
  /// The expression value.
  public var expressionValue: ExpressionValue { .double(Double(self)) }
}

extension URL: ExpressionConvertible {
  /// The name of the type in messages.
  public static var expressionKind: String { "a URI that is a URL" }
  /// Returns `nil` for a URI that does not survive the conversion to `URL` and back unchanged.
  public init?(expressionValue: ExpressionValue) {
    guard case .uri(let text) = expressionValue, let url = URL(string: text), url.absoluteString == text else {
      return nil
    }
    self = url
  }
  /// The expression value.
  public var expressionValue: ExpressionValue { .uri(absoluteString) }
}

extension Set: ExpressionConvertible where Element: ExpressionConvertible {
  /// The name of the type in messages.
  public static var expressionKind: String { "a collection in which each element is \(Element.expressionKind)" }
  /// Creates an instance from an expression value of a suitable kind.
  public init?(expressionValue: ExpressionValue) {
    guard let elements = [Element](expressionValue: expressionValue) else { return nil }
    self.init(elements)
  }
  /// The expression value.
  public var expressionValue: ExpressionValue { .set(DistinctValues(map(\.expressionValue))) }
}
