public import Foundation

/// A Swift type whose values an attribute can hold.
///
/// The conforming types are `Bool`, `Int`, `Int16`, `Int32`, `Int64`, `Float`, `Double`, `Decimal`, `String`, `Date`,
/// `Data`, `UUID`, `URL`, and optionals of them.
///
/// ```swift
/// track["addedAt"] = Value(addedAt)  // `addedAt` may be nil
/// let seconds = Int(storedValue: track["seconds"])
/// ```
public protocol ValueConvertible {
  /// The type of an attribute that holds exactly the values of this type.
  static var attributeType: AttributeType { get }
  /// The value as an attribute holds it.
  var storedValue: Value { get }
  /// Creates a value from the value of an attribute; nil if the conversion would lose information, or if there is no
  /// value and the type is not optional.
  init?(storedValue: Value)
}

extension Value {
  /// Creates the value that an attribute holds for a Swift value.
  public init(_ value: some ValueConvertible) { self = value.storedValue }
}

extension Optional: ValueConvertible where Wrapped: ValueConvertible {
  public static var attributeType: AttributeType { Wrapped.attributeType }
  public var storedValue: Value { map(\.storedValue) ?? .null }
  public init?(storedValue: Value) {
    if storedValue.isNull {
      self = Wrapped?.none
    } else {
      guard let value = Wrapped(storedValue: storedValue) else { return nil }
      self = value
    }
  }
}

extension Bool: ValueConvertible {
  public static var attributeType: AttributeType { .boolean }
  public var storedValue: Value { .bool(self) }
  public init?(storedValue: Value) {
    guard let value = storedValue.bool ?? storedValue.converted(to: .boolean)?.bool else { return nil }
    self = value
  }
}

extension Int64: ValueConvertible {
  public static var attributeType: AttributeType { .integer64 }
  public var storedValue: Value { .integer(self) }
  public init?(storedValue: Value) {
    guard let value = storedValue.integer ?? storedValue.converted(to: .integer64)?.integer else { return nil }
    self = value
  }
}

extension Int: ValueConvertible {
  public static var attributeType: AttributeType { .integer64 }
  public var storedValue: Value { .integer(Int64(self)) }
  public init?(storedValue: Value) {
    guard let value = Int64(storedValue: storedValue) else { return nil }
    self.init(exactly: value)
  }
}

extension Int32: ValueConvertible {
  public static var attributeType: AttributeType { .integer32 }
  public var storedValue: Value { .integer(Int64(self)) }
  public init?(storedValue: Value) {
    guard let value = Int64(storedValue: storedValue) else { return nil }
    self.init(exactly: value)
  }
}

extension Int16: ValueConvertible {
  public static var attributeType: AttributeType { .integer16 }
  public var storedValue: Value { .integer(Int64(self)) }
  public init?(storedValue: Value) {
    guard let value = Int64(storedValue: storedValue) else { return nil }
    self.init(exactly: value)
  }
}

extension Double: ValueConvertible {
  public static var attributeType: AttributeType { .double }
  public var storedValue: Value { .double(self) }
  public init?(storedValue: Value) {
    guard let value = storedValue.double ?? storedValue.converted(to: .double)?.double else { return nil }
    self = value
  }
}

extension Float: ValueConvertible {
  public static var attributeType: AttributeType { .float }
  public var storedValue: Value { .double(Double(self)) }
  /// Rounds a number that a `Float` cannot represent, as every reader of a Float attribute does.
  public init?(storedValue: Value) {
    guard let value = Double(storedValue: storedValue) else { return nil }
    self = Float(value)
  }
}

extension Decimal: ValueConvertible {
  public static var attributeType: AttributeType { .decimal }
  public var storedValue: Value { .decimal(self) }
  public init?(storedValue: Value) {
    guard let value = storedValue.decimal ?? storedValue.converted(to: .decimal)?.decimal else { return nil }
    self = value
  }
}

extension String: ValueConvertible {
  public static var attributeType: AttributeType { .string }
  public var storedValue: Value { .string(self) }
  public init?(storedValue: Value) {
    guard let value = storedValue.string else { return nil }
    self = value
  }
}

extension Date: ValueConvertible {
  public static var attributeType: AttributeType { .date }
  public var storedValue: Value { .date(self) }
  public init?(storedValue: Value) {
    guard let value = storedValue.date else { return nil }
    self = value
  }
}

extension Data: ValueConvertible {
  public static var attributeType: AttributeType { .binaryData }
  public var storedValue: Value { .data(self) }
  public init?(storedValue: Value) {
    guard let value = storedValue.data else { return nil }
    self = value
  }
}

extension UUID: ValueConvertible {
  public static var attributeType: AttributeType { .uuid }
  public var storedValue: Value { .uuid(self) }
  public init?(storedValue: Value) {
    guard let value = storedValue.uuid else { return nil }
    self = value
  }
}

extension URL: ValueConvertible {
  public static var attributeType: AttributeType { .uri }
  public var storedValue: Value { .uri(absoluteString) }
  public init?(storedValue: Value) {
    guard let value = storedValue.url else { return nil }
    self = value
  }
}
