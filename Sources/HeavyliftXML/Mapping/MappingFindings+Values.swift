import HeavyliftExpression
import HeavyliftModel

extension MappingFindings {
  /// Returns the value of an optional attribute that must not be empty.
  mutating func text(_ name: String, of element: XMLElement) -> String? {
    guard let attribute = element.attribute(named: name) else { return nil }
    guard attribute.value.isBlank else { return attribute.value }
    report(
      "empty-value", "\(subject) has an empty '\(name)'", "write a value, or remove '\(name)'",
      at: attribute.valueLocation)
    return nil
  }

  /// Returns the value of a required attribute.
  mutating func requiredText(_ name: String, of element: XMLElement) -> String? {
    guard let attribute = element.attribute(named: name) else {
      reportMissing(name, of: element)
      return nil
    }
    guard attribute.value.isBlank else { return attribute.value }
    report(
      "empty-value", "element '\(element.localName)' has an empty '\(name)'", "write a value",
      at: attribute.valueLocation)
    return nil
  }

  mutating func reportMissing(_ name: String, of element: XMLElement) {
    report(
      "missing-\(name)", "element '\(element.localName)' has no '\(name)'", "add \(name)=\"…\"", at: element.location)
  }

  /// Returns the value that the attribute's word represents.
  mutating func word<Word>(_ name: String, of element: XMLElement, _ words: [(String, Word)]) -> Word? {
    guard let value = text(name, of: element) else { return nil }
    if let found = words.first(where: { $0.0 == value }) { return found.1 }
    report(
      "unknown-\(name)", "\(subject) has invalid \(name)=\"\(value.shownInMessage)\"",
      MappingVocabulary.suggestion(for: value, among: words.map(\.0).filter { $0 != "undefined" }, kind: "word"),
      at: element.attribute(named: name)?.valueLocation)
    return nil
  }

  /// Returns the checksum of a model: SHA-256 in Base64.
  mutating func checksum(_ name: String, of element: XMLElement) -> String? {
    guard let value = text(name, of: element) else { return nil }
    if ModelChecksumText.isValid(value) { return value }
    report(
      "malformed-checksum", "\(subject) has a '\(name)' that is not a model checksum",
      "write the model's version checksum (44 characters of base64), or remove '\(name)'",
      at: element.attribute(named: name)?.valueLocation)
    return nil
  }

  mutating func expression(_ name: String, of element: XMLElement) -> MappingExpression? {
    parsed(name, of: element) { text throws(ExpressionSyntaxError) in try MappingExpression(parsing: text) }
  }

  mutating func predicate(_ name: String, of element: XMLElement) -> MappingPredicate? {
    parsed(name, of: element) { text throws(ExpressionSyntaxError) in try MappingPredicate(parsing: text) }
  }

  private mutating func parsed<Parsed>(
    _ name: String, of element: XMLElement, _ parse: (String) throws(ExpressionSyntaxError) -> Parsed
  ) -> Parsed? {
    guard let text = text(name, of: element) else { return nil }
    do {
      return try parse(text)
    } catch {
      let places = element.attribute(named: name)?.valuePlaces
      let end = text.unicodeScalars.count
      for diagnostic in error.diagnostics(locating: { places?.location(ofScalarAt: min($0, end)) }) {
        add(diagnostic)
      }
      return nil
    }
  }
}

/// The number of a file among several for one pair of versions, as the grammar defines it.
enum MappingPass {
  static let range = 1...999_999_999

  /// Returns the number if the text is its canonical form.
  static func number(_ text: String) -> Int? {
    guard text.wholeMatch(of: /[1-9][0-9]{0,8}/) != nil else { return nil }
    return Int(text)
  }
}

/// The checksum of a model as written in a mapping file.
enum ModelChecksumText {
  /// Returns true if the text is 32 bytes in canonical Base64.
  static func isValid(_ text: String) -> Bool { text.wholeMatch(of: /[A-Za-z0-9+\/]{42}[AEIMQUYcgkosw048]=/) != nil }
}
