import Foundation

/// The degree to which a value fits an attribute's type.
enum ValueFit: Hashable {
  /// A value of the type.
  case fits
  /// A value of another type that can be converted.
  case convertible
  /// The right kind of value, but outside the type's range.
  case outOfRange
  /// A value that cannot be converted to the type.
  case unconvertible
  /// Models cannot state a default for this type; the value is left over from before the type was changed.
  case meaningless

  init(_ value: Value, _ type: AttributeType) {
    self =
      switch type {
      case .undefined, .transformable: .fits
      case .objectID: value.isNull ? .fits : .meaningless
      case .composite: Self.composite(value)
      case .integer16, .integer32, .integer64: Self.integer(value, type.integerRange)
      case .boolean: Self.boolean(value)
      case .double: Self.floating(value, isWide: true)
      case .float: Self.floating(value, isWide: false)
      case .decimal: Self.decimal(value)
      case .string: Self.string(value)
      case .date: Self.date(value)
      case .binaryData: Self.data(value)
      case .uuid: Self.uuid(value)
      case .uri: Self.uri(value)
      }
  }

  /// Returns the value as a number, whatever its numeric type: Core Data has one class for numbers.
  static func number(_ value: Value) -> Double? {
    switch value {
    case .integer(let number): Double(number)
    case .double(let number): number
    case .decimal(let number): (number as NSDecimalNumber).doubleValue
    case .bool(let flag): flag ? 1 : 0
    case .string(let text): Double(text) ?? Self.flag(text).map { $0 ? 1 : 0 }
    default: nil
    }
  }

  /// Returns the Boolean that Xcode reads from a text, or `nil` if Xcode does not accept the text as a Boolean.
  static func flag(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "yes", "true", "1": true
    case "no", "false", "0": false
    default: nil
    }
  }

  private static func integer(_ value: Value, _ range: ClosedRange<Int64>?) -> ValueFit {
    switch value {
    case .null: .fits
    case .integer(let number): range?.contains(number) == false ? .outOfRange : .fits
    default: number(value) == nil ? .unconvertible : .convertible
    }
  }

  private static func boolean(_ value: Value) -> ValueFit {
    switch value {
    case .null, .bool: .fits
    default: number(value) == nil ? .unconvertible : .convertible
    }
  }

  private static func floating(_ value: Value, isWide: Bool) -> ValueFit {
    switch value {
    case .null: .fits
    case .double(let number):
      !isWide && number.isFinite && !Float(number).isFinite ? .outOfRange : .fits
    default: number(value) == nil ? .unconvertible : .convertible
    }
  }

  private static func decimal(_ value: Value) -> ValueFit {
    switch value {
    case .null, .decimal: .fits
    default: number(value) == nil ? .unconvertible : .convertible
    }
  }

  private static func string(_ value: Value) -> ValueFit {
    switch value {
    case .null, .string: .fits
    case .integer, .double, .decimal, .bool, .uri, .uuid: .convertible
    case .date, .data, .composite: .unconvertible
    }
  }

  private static func date(_ value: Value) -> ValueFit {
    switch value {
    case .null, .date: .fits
    // Models and stores write dates as seconds since 2001.
    case .integer, .double, .decimal: .convertible
    case .string(let text): Double(text) == nil ? .unconvertible : .convertible
    default: .unconvertible
    }
  }

  private static func data(_ value: Value) -> ValueFit {
    switch value {
    case .null, .data: .fits
    default: .meaningless
    }
  }

  private static func uuid(_ value: Value) -> ValueFit {
    switch value {
    case .null, .uuid: .fits
    case .string(let text): UUID(uuidString: text) == nil ? .unconvertible : .convertible
    default: .unconvertible
    }
  }

  private static func uri(_ value: Value) -> ValueFit {
    switch value {
    case .null, .uri: .fits
    case .string: .convertible
    default: .unconvertible
    }
  }

  private static func composite(_ value: Value) -> ValueFit {
    switch value {
    case .null, .composite: .fits
    default: .meaningless
    }
  }
}

extension Value {
  /// Returns true if this value is before `other` as a number or date; nil if the two cannot be compared.
  func precedes(_ other: Value) -> Bool? {
    switch (self, other) {
    // Compared as integers: a double cannot distinguish the largest ones.
    case (.integer(let left), .integer(let right)): left < right
    case (.decimal(let left), .decimal(let right)): left < right
    case (.date(let left), .date(let right)): left < right
    case (.string, _), (_, .string), (.bool, _), (_, .bool): nil
    default: ValueFit.number(self).flatMap { left in ValueFit.number(other).map { left < $0 } }
    }
  }
}
