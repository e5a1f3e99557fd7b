public import Foundation
public import HeavyliftModel

/// An argument for a placeholder in a text.
public enum FormatArgument: Hashable, Sendable {
  case value(Value)
  case array([FormatArgument])
  case set(Set<FormatArgument>)
  /// Inserted into the tree as is.
  case expression(MappingExpression)
  /// A key path for `%K`, whose keys may contain dots and other special characters.
  case keyPath(ExpressionKeyPath)
}

/// A type that can be an argument for a placeholder.
public protocol FormatArgumentConvertible {
  /// The argument.
  var formatArgument: FormatArgument { get }
}

extension FormatArgument: FormatArgumentConvertible {
  /// This argument, unchanged.
  public var formatArgument: FormatArgument { self }
}

extension Value: FormatArgumentConvertible {
  /// The value as a constant.
  public var formatArgument: FormatArgument { .value(self) }
}

extension MappingExpression: FormatArgumentConvertible {
  /// The expression, inserted into another one.
  public var formatArgument: FormatArgument { .expression(self) }
}

extension ExpressionKeyPath: FormatArgumentConvertible {
  /// The keys, for `%K`.
  public var formatArgument: FormatArgument { .keyPath(self) }
}

extension Bool: FormatArgumentConvertible {
  /// The value as a constant.
  public var formatArgument: FormatArgument { .value(.bool(self)) }
}

extension Int: FormatArgumentConvertible {
  /// The value as a constant.
  public var formatArgument: FormatArgument { .value(.integer(Int64(self))) }
}

extension Int64: FormatArgumentConvertible {
  /// The value as a constant.
  public var formatArgument: FormatArgument { .value(.integer(self)) }
}

extension Int16: FormatArgumentConvertible {
  /// The value as a constant.
  public var formatArgument: FormatArgument { .value(.integer(Int64(self))) }
}

extension Int32: FormatArgumentConvertible {
  /// The value as a constant.
  public var formatArgument: FormatArgument { .value(.integer(Int64(self))) }
}

extension Float: FormatArgumentConvertible {
  /// The value as a constant.
  public var formatArgument: FormatArgument { .value(.double(Double(self))) }
}

extension Double: FormatArgumentConvertible {
  /// The value as a constant.
  public var formatArgument: FormatArgument { .value(.double(self)) }
}

extension Decimal: FormatArgumentConvertible {
  /// The value as a constant.
  public var formatArgument: FormatArgument { .value(.decimal(self)) }
}

extension String: FormatArgumentConvertible {
  /// The string as a constant, or as the keys for `%K`.
  public var formatArgument: FormatArgument { .value(.string(self)) }
}

extension Date: FormatArgumentConvertible {
  /// The value as a constant.
  public var formatArgument: FormatArgument { .value(.date(self)) }
}

extension UUID: FormatArgumentConvertible {
  /// The value as a constant.
  public var formatArgument: FormatArgument { .value(.uuid(self)) }
}

extension Data: FormatArgumentConvertible {
  /// The value as a constant.
  public var formatArgument: FormatArgument { .value(.data(self)) }
}

extension URL: FormatArgumentConvertible {
  /// The value as a constant.
  public var formatArgument: FormatArgument { .value(.uri(absoluteString)) }
}

extension Optional: FormatArgumentConvertible where Wrapped: FormatArgumentConvertible {
  /// The wrapped value, or nil.
  public var formatArgument: FormatArgument { map(\.formatArgument) ?? .value(.null) }
}

extension Array: FormatArgumentConvertible where Element: FormatArgumentConvertible {
  /// The elements in order.
  public var formatArgument: FormatArgument { .array(map(\.formatArgument)) }
}

extension Set: FormatArgumentConvertible where Element: FormatArgumentConvertible {
  /// The elements.
  public var formatArgument: FormatArgument { .set(Set<FormatArgument>(map(\.formatArgument))) }
}
