import Foundation
import HeavyliftModel

/// A value in a keyed archive: one of Foundation's own types, or an object.
public enum ArchivedValue: Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case real(Double)
  case decimal(Decimal)
  case string(String)
  case data(Data)
  case date(Date)
  case uuid(UUID)
  /// A URL as text, resolved against its base if it has one.
  case url(String)
  case array(ArchivedCollection)
  case set(ArchivedCollection)
  case orderedSet(ArchivedCollection)
  case dictionary(ArchivedDictionary)
  /// An instance of any other class.
  case object(ArchivedObject)
}

extension ArchivedValue {
  /// A Boolean value that indicates whether this is nil.
  public var isNull: Bool {
    if case .null = self { true } else { false }
  }

  /// The text, if it is text.
  public var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The integer, including one that was archived as a Boolean or as a real number without a fraction.
  public var integer: Int64? {
    switch self {
    case .boolean(let value): value ? 1 : 0
    case .integer(let value): value
    case .real(let value): Int64(exactly: value)
    default: nil
    }
  }

  /// The Boolean, including one that was archived as a number.
  public var boolean: Bool? {
    switch self {
    case .boolean(let value): value
    case .integer(let value): value != 0
    default: nil
    }
  }

  /// The elements, if it is an array, a set or an ordered set.
  public var elements: ArchivedCollection? {
    switch self {
    case .array(let elements), .set(let elements), .orderedSet(let elements): elements
    default: nil
    }
  }

  /// The entries, if it is a dictionary.
  public var dictionary: ArchivedDictionary? {
    if case .dictionary(let value) = self { value } else { nil }
  }

  /// The object, if its class has no case of its own.
  public var object: ArchivedObject? {
    if case .object(let value) = self { value } else { nil }
  }

  /// The value as an attribute holds it; nil if no attribute can hold it.
  public var value: Value? {
    switch self {
    case .null: .null
    case .boolean(let value): .bool(value)
    case .integer(let value): .integer(value)
    case .real(let value): .double(value)
    case .decimal(let value): .decimal(value)
    case .string(let value): .string(value)
    case .data(let value): .data(value)
    case .date(let value): .date(value)
    case .uuid(let value): .uuid(value)
    case .url(let value): .uri(value)
    case .array, .set, .orderedSet, .dictionary, .object: nil
    }
  }
}
