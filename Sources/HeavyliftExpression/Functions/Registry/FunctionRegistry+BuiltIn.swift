import Foundation

extension FunctionRegistry {
  /// A small selection of functions for strings, numbers, dates and collections, under the selectors of Foundation's
  /// classes.
  public static let builtIn = makeBuiltIn()

  private static func makeBuiltIn() -> FunctionRegistry {
    var registry = FunctionRegistry()
    do {
      try registry.registerStrings()
      try registry.registerPaths()
      try registry.registerNumbers()
      try registry.registerDates()
      try registry.registerCollections()
      try registry.registerOthers()
      for function in DateFunction.all { registry.register(function.registered) }
    } catch {
      preconditionFailure("the selector of a built-in function does not match its arguments: \(error)")
    }
    registry.markAsBuiltIn()
    return registry
  }

  private mutating func registerStrings() throws {
    try register("length", on: String.self) { $0.utf16.count }
    try register("description", on: String.self) { $0 }
    try register("uppercaseString", on: String.self) { $0.inCapitals }
    try register("lowercaseString", on: String.self) { $0.inSmallLetters }
    try register("capitalizedString", on: String.self) { $0.capitalized }
    try register("intValue", on: String.self) { LeadingNumber.integer($0) }
    try register("integerValue", on: String.self) { LeadingNumber.integer($0) }
    try register("longLongValue", on: String.self) { LeadingNumber.integer($0) }
    try register("doubleValue", on: String.self) { LeadingNumber.double($0) }
    try register("floatValue", on: String.self) { LeadingNumber.double($0) }
    try register("boolValue", on: String.self) { LeadingNumber.truth($0) }
    try register("stringByAppendingString:", on: String.self) { (text, other: String) in text + other }
    try register("substringFromIndex:", on: String.self) { (text, index: Int) in
      String(text[try place(index, in: text)...])
    }
    try register("substringToIndex:", on: String.self) { (text, index: Int) in
      String(text[..<(try place(index, in: text))])
    }
    try register("stringByReplacingOccurrencesOfString:withString:", on: String.self) {
      (text, wanted: String, other: String) in TextSearch.replacing(wanted, in: text, with: other)
    }
    try register("componentsSeparatedByString:", on: String.self) { (text, separator: String) in
      TextSearch.parts(of: text, separatedBy: separator)
    }
    try register("hasPrefix:", on: String.self) { (text, part: String) in TextComparison([]).begins(text, part) }
    try register("hasSuffix:", on: String.self) { (text, part: String) in TextComparison([]).ends(text, part) }
    try register("containsString:", on: String.self) { (text, part: String) in
      TextComparison([]).contains(text, part)
    }
    try register("isEqualToString:", on: String.self) { (text, other: String) in hasSameScalars(text, other) }
  }

  private mutating func registerPaths() throws {
    try register("lastPathComponent", on: String.self) { ($0 as NSString).lastPathComponent }
    try register("pathExtension", on: String.self) { ($0 as NSString).pathExtension }
    try register("stringByDeletingLastPathComponent", on: String.self) { $0.deletingLastPathComponent }
    try register("stringByDeletingPathExtension", on: String.self) { ($0 as NSString).deletingPathExtension }
    try register("stringByAppendingPathComponent:", on: String.self) { (text, component: String) in
      (text as NSString).appendingPathComponent(component)
    }
    try register("stringByAppendingPathExtension:", on: String.self) { (text, name: String) in
      (text as NSString).appendingPathExtension(name)
    }
  }

  private mutating func registerNumbers() throws {
    try register("intValue", on: Number.self) { try whole($0, "intValue") }
    try register("integerValue", on: Number.self) { try whole($0, "integerValue") }
    try register("longLongValue", on: Number.self) { try whole($0, "longLongValue") }
    try register("doubleValue", on: Number.self) { $0.double }
    try register("floatValue", on: Number.self) { Double(Float($0.double)) }
    try register("boolValue", on: Number.self) { $0 != .integer(0) }
    try register("stringValue", on: Number.self) { $0.text }
    try register("description", on: Number.self) { $0.text }
    try register("decimalValue", on: Decimal.self) { $0 }
  }

  private mutating func registerDates() throws {
    try register("timeIntervalSinceReferenceDate", on: Date.self) { $0.timeIntervalSinceReferenceDate }
    try register("timeIntervalSince1970", on: Date.self) { $0.timeIntervalSince1970 }
    try register("timeIntervalSinceDate:", on: Date.self) { (date, other: Date) in date.timeIntervalSince(other) }
    try register("dateByAddingTimeInterval:", on: Date.self) { (date, seconds: Double) in date + seconds }
    try register("description", on: Date.self) { $0.description }
  }

  private mutating func registerCollections() throws {
    try register("count", on: [ExpressionValue].self) { $0.count }
    // A set has no first element, and its elements have no indexes.
    try register("firstObject", on: Ordered.self) { $0.elements.first }
    try register("lastObject", on: Ordered.self) { $0.elements.last }
    try register("allObjects", on: [ExpressionValue].self) { $0 }
    try register("containsObject:", on: [ExpressionValue].self) { (elements, wanted: ExpressionValue) in
      elements.contains(wanted)
    }
    try register("objectAtIndex:", on: Ordered.self) { (collection, index: Int) in
      try ElementAtIndex.call(.array(collection.elements), .integer(Int64(index)))
    }
    try register("componentsJoinedByString:", on: [String].self) { (texts, separator: String) in
      texts.joined(separator: separator)
    }
  }

  private mutating func registerOthers() throws {
    try register("UUIDString", on: UUID.self) { $0.uuidString }
    try register("length", on: Data.self) { $0.count }
    try register("absoluteString", on: Location.self) { $0.text }
    try register("path", on: Location.self) { $0.url?.path }
    try register("host", on: Location.self) { $0.url?.host }
    try register("scheme", on: Location.self) { $0.url?.scheme }
    try register("query", on: Location.self) { $0.url?.query }
    try register("lastPathComponent", on: Location.self) { $0.url?.lastPathComponent }
    try register("pathExtension", on: Location.self) { $0.url?.pathExtension }
    try register("isEqual:", on: ExpressionValue.self) { (value, other: ExpressionValue) in value == other }
  }
}

/// An array or an ordered set.
private struct Ordered: ExpressionConvertible {
  static var expressionKind: String { "an ordered collection" }
  var elements: [ExpressionValue]
  var expressionValue: ExpressionValue { .array(elements) }

  init?(expressionValue: ExpressionValue) {
    switch expressionValue {
    case .array(let elements): self.elements = elements
    case .orderedSet(let values): elements = values.elements
    default: return nil
    }
  }
}

/// The receiver of URI functions; a separate type, so that no string is mistaken for a URI.
private struct Location: ExpressionConvertible {
  static var expressionKind: String { "a URI" }
  var text: String
  var url: URL? { URL(string: text) }
  var expressionValue: ExpressionValue { .uri(text) }

  init?(expressionValue: ExpressionValue) {
    guard case .uri(let text) = expressionValue else { return nil }
    self.text = text
  }
}

private func whole(_ number: Number, _ selector: String) throws(EvaluationMistake) -> Int64 {
  guard let whole = number.truncated else { throw .overflow(selector) }
  return whole
}

/// Returns the place with an index in UTF-16 units; an index past the end is an error, as in `NSString`, and so is one in
/// the middle of a character, which no store could hold.
private func place(_ index: Int, in text: String) throws(EvaluationMistake) -> String.Index {
  let units = text.utf16
  guard index >= 0, let place = units.index(units.startIndex, offsetBy: index, limitedBy: units.endIndex) else {
    throw .indexOutOfBounds(count: units.count)
  }
  guard let place = place.samePosition(in: text.unicodeScalars) else { throw .splitCharacter }
  return place
}

extension Number: ExpressionConvertible {
  static var expressionKind: String { "a number" }
  init?(expressionValue: ExpressionValue) { self.init(expressionValue) }
  var expressionValue: ExpressionValue { value }
}
