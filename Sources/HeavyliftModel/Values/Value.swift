public import Foundation

/// The value of an object's attribute.
///
/// ```swift
/// book["title"] = "The Trial"
/// book["price"] = .decimal(9.99)
/// book["publishedAt"] = .null
/// ```
public enum Value: Hashable, Sendable {
  /// No value.
  case null
  /// The value of a Boolean attribute.
  case bool(Bool)
  /// The value of an Integer 16, 32 or 64 attribute.
  case integer(Int64)
  /// The value of a Double or Float attribute.
  case double(Double)
  /// The value of a Decimal attribute.
  case decimal(Decimal)
  /// The value of a String attribute.
  case string(String)
  /// The value of a Date attribute.
  case date(Date)
  /// The value of a UUID attribute.
  case uuid(UUID)
  /// The text as stored: `URL` does not return every stored text unchanged.
  case uri(String)
  /// Binary data, including the output of a transformable attribute's transformer.
  case data(Data)
  /// The elements of a composite attribute by name.
  case composite([String: Value])
}

extension Value {
  /// A Boolean value that indicates whether this is the null value.
  public var isNull: Bool { self == .null }

  /// The value as a Boolean, if it is one.
  public var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The value as an integer, if it is one.
  public var integer: Int64? {
    if case .integer(let value) = self { value } else { nil }
  }

  /// The value as a floating-point number, if it is one.
  public var double: Double? {
    if case .double(let value) = self { value } else { nil }
  }

  /// The value as a decimal number, if it is one.
  public var decimal: Decimal? {
    if case .decimal(let value) = self { value } else { nil }
  }

  /// The value as text, if it is text.
  public var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The value as a date, if it is one.
  public var date: Date? {
    if case .date(let value) = self { value } else { nil }
  }

  /// The value as a UUID, if it is one.
  public var uuid: UUID? {
    if case .uuid(let value) = self { value } else { nil }
  }

  /// The value as a URL, if it is a URI that Foundation can parse.
  public var url: URL? {
    if case .uri(let value) = self { URL(string: value) } else { nil }
  }

  /// The value as bytes, if it is binary or transformable.
  public var data: Data? {
    if case .data(let value) = self { value } else { nil }
  }

  /// The kind of value, for messages, which never show the value itself.
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
    case .composite: "a composite"
    }
  }
}

extension Value: ExpressibleByNilLiteral {
  /// Creates the null value.
  public init(nilLiteral: ()) { self = .null }
}

extension Value: ExpressibleByBooleanLiteral {
  /// Creates a Boolean.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension Value: ExpressibleByIntegerLiteral {
  /// Creates an integer.
  public init(integerLiteral value: Int64) { self = .integer(value) }
}

extension Value: ExpressibleByFloatLiteral {
  /// Creates a floating-point number.
  public init(floatLiteral value: Double) { self = .double(value) }
}

extension Value: ExpressibleByStringLiteral {
  /// Creates a string.
  public init(stringLiteral value: String) { self = .string(value) }
}
