import Foundation
import HeavyliftExpression
import HeavyliftModel

/// The validation rules of one attribute, prepared once for many values.
final class AttributeValidator {
  private let attribute: AttributeDescription
  private let type: AttributeType
  private let mayBeNil: Bool
  private let hasDateBounds: Bool
  // The whole text must match: an alternative that ends early must not hide one that reaches the end. Lazy, because
  // planning a migration prepares the attributes of three stores, and checks no values.
  private lazy var pattern = attribute.validation.regularExpression.flatMap {
    try? NSRegularExpression(pattern: "(?:\($0))\\z")
  }
  private let integerRange: ClosedRange<Int64>?
  private let minimum: ComparableNumber?
  private let maximum: ComparableNumber?

  /// - Parameter mayBeNil: True if the model allows nil. For a composite, this depends on its elements.
  init(_ attribute: AttributeDescription, mayBeNil: Bool) {
    self.attribute = attribute
    self.mayBeNil = mayBeNil
    type = attribute.type
    hasDateBounds = attribute.validation.minimum.date != nil || attribute.validation.maximum.date != nil
    integerRange = attribute.type == .integer64 ? nil : attribute.type.integerRange
    minimum = attribute.validation.minimum.compared(in: attribute.type).number
    maximum = attribute.validation.maximum.compared(in: attribute.type).number
  }

  /// True if the type or the model restricts values other than nil.
  var hasValueRules: Bool {
    let validation = attribute.validation
    return integerRange != nil || !validation.minimum.isNull || !validation.maximum.isNull
      || validation.minimumLength != nil || validation.maximumLength != nil || validation.regularExpression != nil
  }

  /// True if the model restricts the values of its type.
  var restrictsCopies: Bool { !mayBeNil || hasValueRules }

  /// True if every value that an object can hold is valid.
  var acceptsEverything: Bool {
    guard mayBeNil || attribute.isDerived, !hasValueRules else { return false }
    switch type {
    case .integer16, .integer32, .integer64, .boolean, .string, .binaryData, .uuid, .uri, .decimal: return true
    // These may be NaN, or have the wrong type.
    case .double, .float, .date, .composite, .transformable, .undefined, .objectID: return false
    }
  }

  /// Returns the rules that a value violates; empty if it is valid.
  func findings(for value: Value) -> [Finding] {
    if value.isMissing {
      // The store computes a derived value after validation.
      guard !mayBeNil, !attribute.isDerived else { return [] }
      return [attribute.missingValue]
    }
    guard value.converted(to: type) != nil else {
      return [
        Finding(
          code: .valueOfWrongType, problem: "has type \(attribute.type.modelName) but holds \(value.kind)",
          remedy: "convert the value to \(attribute.type.modelName)")
      ]
    }
    if value.isNotANumber {
      return [
        Finding(
          code: .valueOfWrongType,
          problem: "is not a number (NaN), which no \(attribute.type.modelName) column can hold",
          remedy: "give it a number, or nil")
      ]
    }
    return rangeFindings(value) + lengthFindings(value) + patternFindings(value)
  }

  private func rangeFindings(_ value: Value) -> [Finding] {
    var findings: [Finding] = []
    if let range = integerRange, let number = value.integer {
      if number < range.lowerBound { findings.append(tooSmall("\(range.lowerBound), the minimum of \(typeName)")) }
      if number > range.upperBound { findings.append(tooLarge("\(range.upperBound), the maximum of \(typeName)")) }
    }
    if hasDateBounds, let date = value.date {
      let validation = attribute.validation
      if let minimum = validation.minimum.date, date < minimum {
        findings.append(
          Finding(
            code: .dateTooSoon, problem: "is earlier than the model allows", remedy: "choose \(minimum) or a later date"
          ))
      }
      if let maximum = validation.maximum.date, date > maximum {
        findings.append(
          Finding(
            code: .dateTooLate, problem: "is later than the model allows",
            remedy: "choose \(maximum) or an earlier date"))
      }
    }
    if minimum == nil && maximum == nil { return findings }
    guard let number = value.compared(in: type).number else { return findings }
    if let minimum, number.isLess(than: minimum) { findings.append(tooSmall("the minimum of \(shown(minimum))")) }
    if let maximum, maximum.isLess(than: number) { findings.append(tooLarge("the maximum of \(shown(maximum))")) }
    return findings
  }

  private var typeName: String { attribute.type.modelName }

  /// Returns a bound with the digits that the model states: 0.1, not 0.10000000149011612.
  private func shown(_ bound: ComparableNumber) -> String {
    if type == .float, case .floating(let number) = bound { "\(Float(number))" } else { "\(bound)" }
  }

  private func tooSmall(_ bound: String) -> Finding {
    Finding(
      code: .numberTooSmall, problem: "is smaller than \(bound)", remedy: "choose a larger number, or change the model")
  }

  private func tooLarge(_ bound: String) -> Finding {
    Finding(
      code: .numberTooLarge, problem: "is larger than \(bound)", remedy: "choose a smaller number, or change the model")
  }

  private func lengthFindings(_ value: Value) -> [Finding] {
    guard let length = value.string?.utf16.count else { return [] }
    if let minimum = attribute.validation.minimumLength, length < minimum {
      return [
        Finding(
          code: .stringTooShort, problem: "is shorter than \(minimum) characters",
          remedy: "lengthen the text, or change the model")
      ]
    }
    if let maximum = attribute.validation.maximumLength, length > maximum {
      return [
        Finding(
          code: .stringTooLong, problem: "is longer than \(maximum) characters",
          remedy: "shorten the text, or change the model")
      ]
    }
    return []
  }

  private func patternFindings(_ value: Value) -> [Finding] {
    guard let text = value.string, let pattern, let expression = attribute.validation.regularExpression else {
      return []
    }
    switch pattern.boundedMatch(in: text, options: .anchored) {
    case true?: return []
    case false?: break
    case nil:
      return [
        Finding(
          code: .stringPatternMismatch,
          problem: "cannot be matched against the pattern \(expression): that takes too long",
          remedy: "change the pattern in the model: avoid nested repetitions such as '(a+)+'")
      ]
    }
    return [
      Finding(
        code: .stringPatternMismatch, problem: "does not match the pattern \(expression)",
        remedy: "change the text, or the pattern in the model")
    ]
  }
}

/// A number that can be compared with others without loss.
private enum ComparableNumber: CustomStringConvertible {
  case whole(Int64)
  case exact(Decimal)
  case floating(Double)

  func isLess(than other: ComparableNumber) -> Bool {
    switch (self, other) {
    case (.whole(let left), .whole(let right)): left < right
    case (.floating, _), (_, .floating): floating < other.floating
    default: exact < other.exact
    }
  }

  private var exact: Decimal {
    switch self {
    case .whole(let value): Decimal(value)
    case .exact(let value): value
    case .floating(let value): Decimal(value)
    }
  }

  private var floating: Double {
    switch self {
    case .whole(let value): Double(value)
    case .exact(let value): Double("\(value)") ?? .nan
    case .floating(let value): value
    }
  }

  var description: String {
    switch self {
    case .whole(let value): "\(value)"
    case .exact(let value): "\(value)"
    case .floating(let value): "\(value)"
    }
  }
}

extension Value {
  /// True for nil, and for a composite without any value.
  fileprivate var isMissing: Bool {
    if case .composite(let elements) = self { elements.values.allSatisfy(\.isMissing) } else { isNull }
  }

  fileprivate var number: ComparableNumber? {
    switch self {
    case .integer(let value): .whole(value)
    case .decimal(let value): .exact(value)
    case .double(let value): .floating(value)
    default: nil
    }
  }
}

/// The rules for the values of one attribute, of a store that need not exist yet.
package struct AttributeRules {
  private let validator: AttributeValidator

  /// True if every value that an object can hold is valid.
  package var acceptsEverything: Bool { validator.acceptsEverything }

  /// True if a value that another attribute of the same type holds may be invalid.
  package var restrictsCopies: Bool { validator.restrictsCopies }

  /// Returns nil if the store does not have the attribute, or computes it.
  package init?(of attribute: String, entity: String, in store: StoreBlueprint) {
    guard let runtime = store.runtime.byName[entity], case .attribute(let slot)? = runtime.slots[attribute],
      !runtime.attributes[slot].isDerived
    else { return nil }
    validator = runtime.attributes[slot].validator
  }

  /// Returns the rules that a value violates.
  package func violations(by value: Value) -> [Finding] { validator.findings(for: value) }
}
