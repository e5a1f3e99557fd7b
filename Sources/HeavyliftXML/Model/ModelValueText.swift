import Foundation
import HeavyliftModel

/// Default values and bounds as written in model files.
enum ModelValueText {
  /// Returns a default value as Core Data reads it: "0.0" and "NO" are common for integers and mean 0. Text that is not
  /// a value of the type stays text, so that a check can report it.
  static func defaultValue(_ text: String, for type: AttributeType) -> Value {
    switch type {
    case .string: return .string(text)
    case .date: return .null  // another attribute has the date; Xcode keeps text such as "now" here
    case _ where text.isEmpty: return .null
    case .integer16, .integer32, .integer64, .decimal, .double, .float:
      return number(text, for: type) ?? flag(text).flatMap { number($0 ? "1" : "0", for: type) } ?? .string(text)
    case .boolean: return (flag(text) ?? Double(text).map { $0 != 0 }).map(Value.bool) ?? .string(text)
    case .uuid: return UUID(uuidString: text).map(Value.uuid) ?? .string(text)
    case .uri: return .uri(text)
    case .undefined, .binaryData, .transformable, .objectID, .composite: return .string(text)
    }
  }

  /// Returns the text as a number of the attribute's type.
  static func number(_ text: String, for type: AttributeType) -> Value? {
    let text = text.trimmingCharacters(in: .whitespaces)
    guard let double = Double(text), double.isFinite else { return nil }
    switch type {
    case .integer16, .integer32, .integer64:
      return (Int64(text) ?? Int64(exactly: double.rounded(.towardZero))).map(Value.integer)
    case .decimal: return Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")).map(Value.decimal)
    // A Float attribute holds the nearest float, which differs from the nearest double.
    case .float: return .double(Double(Float(double)))
    case .double: return .double(double)
    default: return nil
    }
  }

  private static func flag(_ text: String) -> Bool? {
    switch text.uppercased() {
    case "YES", "TRUE", "1": true
    case "NO", "FALSE", "0": false
    default: nil
    }
  }

  /// Returns a value as Xcode writes it; nil if it belongs in another XML attribute or in none.
  static func text(of value: Value, for type: AttributeType) -> String? {
    switch value {
    case .null, .date, .data, .composite: nil
    case .bool(let flag): flag ? "YES" : "NO"
    case .integer(let number): String(number)
    case .double(let number): type == .float ? "\(Float(number))" : "\(number)"
    case .decimal(let number): "\(number)"
    case .string(let text), .uri(let text): text
    case .uuid(let uuid): uuid.uuidString
    }
  }

  /// Returns a date as Xcode writes it: seconds since 2001, without a decimal point if they are whole.
  static func interval(of value: Value) -> String? {
    guard let seconds = value.date?.timeIntervalSinceReferenceDate else { return nil }
    return Int64(exactly: seconds).map { String($0) } ?? "\(seconds)"
  }
}
