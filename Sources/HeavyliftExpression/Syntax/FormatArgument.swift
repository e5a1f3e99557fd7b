public import Foundation
public import HeavyliftModel

/// What is put into a text for one of its placeholders.
public enum FormatArgument: Hashable, Sendable {
  case value(Value)
  case array([FormatArgument])
  case set(Set<FormatArgument>)
  /// Put into the tree as it is.
  case expression(MappingExpression)
  /// For `%K`, keys that hold dots or signs included.
  case keyPath(KeyPath)
}

/// What can be given for a placeholder.
public protocol FormatArgumentConvertible {
  /// The argument that stands for this.
  var formatArgument: FormatArgument { get }
}

extension FormatArgument: FormatArgumentConvertible {
  /// Itself.
  public var formatArgument: FormatArgument { self }
}

extension Value: FormatArgumentConvertible {
  /// A constant.
  public var formatArgument: FormatArgument { .value(self) }
}

extension MappingExpression: FormatArgumentConvertible {
  /// The expression as a part of another.
  public var formatArgument: FormatArgument { .expression(self) }
}

extension KeyPath: FormatArgumentConvertible {
  /// The keys, for `%K`.
  public var formatArgument: FormatArgument { .keyPath(self) }
}

extension Bool: FormatArgumentConvertible {
  /// A constant.
  public var formatArgument: FormatArgument { .value(.bool(self)) }
}

extension Int: FormatArgumentConvertible {
  /// A constant.
  public var formatArgument: FormatArgument { .value(.integer(Int64(self))) }
}

extension Int64: FormatArgumentConvertible {
  /// A constant.
  public var formatArgument: FormatArgument { .value(.integer(self)) }
}

extension Int16: FormatArgumentConvertible {
  /// A constant.
  public var formatArgument: FormatArgument { .value(.integer(Int64(self))) }
}

extension Int32: FormatArgumentConvertible {
  /// A constant.
  public var formatArgument: FormatArgument { .value(.integer(Int64(self))) }
}

extension Float: FormatArgumentConvertible {
  /// A constant.
  public var formatArgument: FormatArgument { .value(.double(Double(self))) }
}

extension Double: FormatArgumentConvertible {
  /// A constant.
  public var formatArgument: FormatArgument { .value(.double(self)) }
}

extension Decimal: FormatArgumentConvertible {
  /// A constant.
  public var formatArgument: FormatArgument { .value(.decimal(self)) }
}

extension String: FormatArgumentConvertible {
  /// A constant, or the keys for `%K`.
  public var formatArgument: FormatArgument { .value(.string(self)) }
}

extension Date: FormatArgumentConvertible {
  /// A constant.
  public var formatArgument: FormatArgument { .value(.date(self)) }
}

extension UUID: FormatArgumentConvertible {
  /// A constant.
  public var formatArgument: FormatArgument { .value(.uuid(self)) }
}

extension Data: FormatArgumentConvertible {
  /// A constant.
  public var formatArgument: FormatArgument { .value(.data(self)) }
}

extension URL: FormatArgumentConvertible {
  /// A constant.
  public var formatArgument: FormatArgument { .value(.uri(absoluteString)) }
}

extension Optional: FormatArgumentConvertible where Wrapped: FormatArgumentConvertible {
  /// What is there, or nil.
  public var formatArgument: FormatArgument { map(\.formatArgument) ?? .value(.null) }
}

extension Array: FormatArgumentConvertible where Element: FormatArgumentConvertible {
  /// The elements in their order.
  public var formatArgument: FormatArgument { .array(map(\.formatArgument)) }
}

extension Set: FormatArgumentConvertible where Element: FormatArgumentConvertible {
  /// The elements.
  public var formatArgument: FormatArgument { .set(Set<FormatArgument>(map(\.formatArgument))) }
}
