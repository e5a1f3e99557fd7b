import Foundation

/// A value of a property list.
public enum PropertyListValue: Hashable, Sendable {
  case string(String)
  case integer(Int64)
  case real(Double)
  case bool(Bool)
  case date(Date)
  case data(Data)
  case array([PropertyListValue])
  case dictionary([String: PropertyListValue])

  /// Takes over what Foundation read; nil for what is no property list.
  init?(_ object: Any) {
    switch object {
    case let value as String: self = .string(value)
    case let value as Date: self = .date(value)
    case let value as Data: self = .data(value)
    case let value as NSNumber: self.init(number: value)
    case let value as [Any]:
      let elements = value.compactMap(PropertyListValue.init)
      guard elements.count == value.count else { return nil }
      self = .array(elements)
    case let value as [String: Any]:
      let entries = value.compactMapValues(PropertyListValue.init)
      guard entries.count == value.count else { return nil }
      self = .dictionary(entries)
    default: return nil
    }
  }

  private init(number: NSNumber) {
    if number.isBoolean {
      self = .bool(number.boolValue)
    } else if number.isFloating {
      self = .real(number.doubleValue)
    } else {
      self = .integer(number.int64Value)
    }
  }

  /// The objects that Foundation writes.
  var object: Any {
    switch self {
    case .string(let value): value
    case .integer(let value): NSNumber(value: value)
    case .real(let value): NSNumber(value: value)
    case .bool(let value): NSNumber(value: value)
    case .date(let value): value
    case .data(let value): value
    case .array(let values): values.map(\.object)
    case .dictionary(let entries): entries.mapValues(\.object)
    }
  }

  /// The text, if it is one.
  public var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The whole number, if it is one.
  public var integer: Int64? {
    if case .integer(let value) = self { value } else { nil }
  }

  /// The bytes, if it is data.
  public var data: Data? {
    if case .data(let value) = self { value } else { nil }
  }

  /// The elements, if it is an array.
  public var array: [PropertyListValue]? {
    if case .array(let value) = self { value } else { nil }
  }

  /// The entries, if it is a dictionary.
  public var dictionary: [String: PropertyListValue]? {
    if case .dictionary(let value) = self { value } else { nil }
  }
}

extension NSNumber {
  /// The type code of a Boolean is that of an 8-bit integer too, but there are only two Boolean objects.
  fileprivate var isBoolean: Bool {
    String(cString: objCType) == "c" && (self === NSNumber(value: true) || self === NSNumber(value: false))
  }

  fileprivate var isFloating: Bool { ["f", "d"].contains(String(cString: objCType)) }
}
