import Foundation
import HeavyliftModel

extension ModelArchiveReader {
  mutating func defaultValue(
    _ object: ArchivedObject, type: AttributeType, place: String
  ) throws(ArchiveMistake) -> Value {
    guard let archived = object["NSDefaultValue"], !archived.isNull else { return .null }
    guard let value = archived.value else {
      // A transformable's default is an instance of an application's class, so its contents are unknown.
      let className = archived.object?.className ?? "NSArray"
      note(
        "opaque-default", "has a default value of class '\(className.prefix(64))' for \(place); it is skipped",
        severity: .warning)
      return .null
    }
    if let value = type.coerced(value) { return value }
    note("default-of-wrong-type", "has \(value.kind) as the default value of \(place)", severity: .warning)
    return value
  }

  /// Reads validation predicates of the kinds that Xcode's model editor writes: bounds, lengths and a pattern.
  mutating func validation(
    _ object: ArchivedObject, type: AttributeType, place: String
  ) throws(ArchiveMistake) -> AttributeValidation {
    var validation = AttributeValidation()
    for element in try elements("NSValidationPredicates", of: object) {
      do {
        let predicate = try expressions.predicate(element)
        for part in predicate.conjuncts where !validation.add(part, type: type) {
          noteLost(part.description, place: place)
        }
      } catch .unknownExpression(let className) {
        noteLost("of class '\(className)'", place: place)
      }
    }
    return validation
  }

  private mutating func noteLost(_ words: String, place: String) {
    note(
      "validation-left-out", "has a validation rule for \(place) that no model file can express: \(words.prefix(200))",
      severity: .warning)
  }
}

extension ArchivedPredicate {
  /// The predicates that this predicate joins by AND, or the predicate itself.
  var conjuncts: [ArchivedPredicate] {
    if case .and(let predicates) = self { predicates.flatMap(\.conjuncts) } else { [self] }
  }
}

extension AttributeValidation {
  /// Adds the condition of a predicate of a known kind; returns false for any other predicate.
  mutating func add(_ predicate: ArchivedPredicate, type: AttributeType) -> Bool {
    guard case .comparison(let left, let comparison, .constant(.value(let value)), .direct, let options) = predicate,
      options.isEmpty
    else { return false }
    switch (left, comparison) {
    case (.evaluatedObject, .greaterThanOrEqual) where minimum.isNull && type != .string:
      guard let value = type.coerced(value) else { return false }
      minimum = value
    case (.evaluatedObject, .lessThanOrEqual) where maximum.isNull && type != .string:
      guard let value = type.coerced(value) else { return false }
      maximum = value
    case (.keyPath(of: .evaluatedObject, "length"), .greaterThanOrEqual) where minimumLength == nil:
      guard let length = value.integer.flatMap(Int.init(exactly:)) else { return false }
      minimumLength = length
    case (.keyPath(of: .evaluatedObject, "length"), .lessThanOrEqual) where maximumLength == nil:
      guard let length = value.integer.flatMap(Int.init(exactly:)) else { return false }
      maximumLength = length
    case (.evaluatedObject, .matches) where regularExpression == nil:
      guard let pattern = value.string else { return false }
      regularExpression = pattern
    default: return false
    }
    return true
  }
}

extension AttributeType {
  /// Returns the value converted to the attribute's type: an archive has only one kind of number, but a model has
  /// several numeric types.
  func coerced(_ value: Value) -> Value? {
    switch (self, value) {
    case (_, .null): .null
    case (.integer16, .integer), (.integer32, .integer), (.integer64, .integer): value
    case (.integer16, .bool(let flag)), (.integer32, .bool(let flag)), (.integer64, .bool(let flag)):
      .integer(flag ? 1 : 0)
    case (.integer16, .double(let number)), (.integer32, .double(let number)), (.integer64, .double(let number)):
      Int64(exactly: number).map { .integer($0) }
    case (.boolean, .bool): value
    case (.boolean, .integer(let number)): .bool(number != 0)
    case (.double, .double), (.float, .double): value
    case (.double, .integer(let number)), (.float, .integer(let number)): .double(Double(number))
    case (.double, .decimal(let number)), (.float, .decimal(let number)):
      .double(NSDecimalNumber(decimal: number).doubleValue)
    case (.decimal, .decimal): value
    case (.decimal, .integer(let number)): .decimal(Decimal(number))
    case (.decimal, .double(let number)): .decimal(Decimal(string: "\(number)") ?? Decimal(number))
    case (.string, .string), (.date, .date), (.uuid, .uuid), (.uri, .uri), (.binaryData, .data): value
    case (.uri, .string(let text)): .uri(text)
    case (.date, .double(let seconds)): .date(Date(timeIntervalSinceReferenceDate: seconds))
    case (.date, .integer(let seconds)): .date(Date(timeIntervalSinceReferenceDate: Double(seconds)))
    case (.transformable, _), (.undefined, _): value
    default: nil
    }
  }
}
