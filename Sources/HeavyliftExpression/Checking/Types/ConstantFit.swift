import Foundation
import HeavyliftModel

/// The result of storing a constant in an attribute.
enum ConstantFit {
  /// The attribute stores the constant as this value.
  case fits(Value)
  /// The constant is of another kind, as in models from older tools, and is converted to this value.
  case converted(Value)
  /// The constant would become a different number.
  case inexact
  case outOfRange
  case never

  init(_ value: Value, _ type: AttributeType) {
    if case .string(let text) = value, Self.isRounded(text, type) {
      self = .inexact
      return
    }
    if case .string(let text) = value, let number = Self.number(text, type) {
      self =
        switch ConstantFit(number, type) {
        case .fits(let held): .converted(held)
        case let other: other
        }
      return
    }
    guard let held = value.converted(to: type == .float ? .double : type) else {
      self = Self.isNumber(value) ? Self.misfit(value, type) : .never
      return
    }
    if case .integer(let number) = held, type.integerRange?.contains(number) == false {
      self = .outOfRange
    } else if type == .float, case .double(let number) = held, let exact = Self.floatMisfit(value, number) {
      self = exact
    } else {
      self = .fits(held)
    }
  }

  /// Converts a number written as a string, or a Boolean as Xcode writes it.
  private static func number(_ text: String, _ type: AttributeType) -> Value? {
    switch type {
    case .decimal:
      if let number = Decimal(wholeText: text) { return .decimal(number) }
      return Double(text).flatMap { $0.isFinite ? .double($0) : nil }
    case .integer16, .integer32, .integer64, .double, .float:
      return Int64(text).map(Value.integer) ?? Double(text).flatMap { $0.isFinite ? .double($0) : nil }
    case .boolean:
      return switch text.lowercased() {
      case "yes", "true", "1": .bool(true)
      case "no", "false", "0": .bool(false)
      default: nil
      }
    default: return nil
    }
  }

  /// Returns true if the text is a number with more digits than the type.
  private static func isRounded(_ text: String, _ type: AttributeType) -> Bool {
    guard let digits = DecimalText(text) else { return false }
    switch type {
    case .double, .float: return Double(text).map { $0.isFinite && !digits.isKept(by: $0) } ?? false
    case .decimal: return Decimal(string: text).map { !digits.isKept(by: $0) } ?? false
    default: return false
    }
  }

  private static func isNumber(_ value: Value) -> Bool {
    switch value {
    case .bool, .integer, .double, .decimal: true
    default: false
    }
  }

  private static func misfit(_ value: Value, _ type: AttributeType) -> ConstantFit {
    switch type {
    case .integer16, .integer32, .integer64:
      if case .double(let number) = value, !(number > -0x1p63 && number < 0x1p63) { return .outOfRange }
      return .inexact
    case .double, .float, .decimal: return .inexact
    case .boolean: return .never
    default: return .never
    }
  }

  /// Rounding a fraction to 32 bits is expected; rounding an integer is not.
  private static func floatMisfit(_ written: Value, _ number: Double) -> ConstantFit? {
    if number.isFinite, !Float(number).isFinite { return .outOfRange }
    if case .integer = written, Double(Float(number)) != number { return .inexact }
    return nil
  }
}

extension CheckingMistake.BoundFlaw {
  /// Creates the flaw for the bound that the value violates; returns `nil` if the value is valid.
  init?(_ value: Value, _ attribute: AttributeDescription) {
    let validation = attribute.validation
    let compared = value.compared(in: attribute.type)
    if compared.isBelow(validation.minimum.compared(in: attribute.type)) {
      self = .belowMinimum
    } else if validation.maximum.compared(in: attribute.type).isBelow(compared) {
      self = .aboveMaximum
    } else if case .string(let text) = value {
      let length = text.utf16.count
      if let least = validation.minimumLength, length < least {
        self = .tooShort(least)
      } else if let most = validation.maximumLength, length > most {
        self = .tooLong(most)
      } else if let pattern = validation.regularExpression, !pattern.isEmpty,
        let regular = try? RegularPattern(pattern, options: []), (try? regular.matches(text)) == false
      {
        self = .unmatched
      } else {
        return nil
      }
    } else {
      return nil
    }
  }
}

extension Value {
  fileprivate func isBelow(_ other: Value) -> Bool {
    if isNull || other.isNull { return false }
    return (try? order(ExpressionValue(self), ExpressionValue(other), options: [], for: "<")) == .less
  }
}
