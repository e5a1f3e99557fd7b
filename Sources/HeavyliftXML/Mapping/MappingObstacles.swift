import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel

/// Turns the contents of a mapping model into attribute values, and reports what cannot be written.
struct MappingObstacles {
  private(set) var diagnostics: [Diagnostic] = []
  private var path: [(subject: String, location: DiagnosticLocation?)] = []

  mutating func enter(_ subject: String, _ location: DiagnosticLocation?) { path.append((subject, location)) }

  mutating func leave() { path.removeLast() }

  /// Returns a value that must not be empty: reading an empty one back would be an error.
  mutating func text(_ value: String?, _ name: String) -> String? {
    guard let value else { return nil }
    if value.isBlank {
      report("unwritable-empty-value", "\(subject) has an empty '\(name)'", "set it, or remove it")
    }
    return anyText(value, name)
  }

  /// Returns a value that may be empty.
  mutating func anyText(_ value: String, _ name: String) -> String {
    if let scalar = value.unicodeScalars.first(where: { !$0.isAllowedInXML }) {
      let code = String(scalar.value, radix: 16, uppercase: true)
      let number = String(repeating: "0", count: max(0, 4 - code.count)) + code
      report(
        "unwritable-character", "\(subject) has the character U+\(number) in its '\(name)', which XML cannot represent",
        "remove it")
    }
    return value
  }

  mutating func text(_ expression: MappingExpression?, _ name: String) -> String? {
    guard let expression else { return nil }
    return written(name) { () throws(UnprintablePart) in try expression.text() }
  }

  mutating func text(_ predicate: MappingPredicate?, _ name: String) -> String? {
    guard let predicate else { return nil }
    return written(name) { () throws(UnprintablePart) in try predicate.text() }
  }

  mutating func text(_ fingerprint: EntityFingerprint) -> String {
    guard let text = FingerprintText.text(of: fingerprint) else {
      report(
        "unwritable-fingerprint", "\(subject) has a malformed fingerprint",
        "give every property a name and a digest of 8 to 64 digits from 0-9 and a-f")
      return ""
    }
    return anyText(text, "properties")
  }

  mutating func checksum(_ value: String?, _ name: String) -> String? {
    guard let value else { return nil }
    if !ModelChecksumText.isValid(value) {
      report(
        "unwritable-checksum", "\(subject) has a '\(name)' that is not a model checksum",
        "set the model's version checksum, or remove it")
    }
    return value
  }

  mutating func pass(_ value: Int?) -> String? {
    guard let value else { return nil }
    if !MappingPass.range.contains(value) {
      report("unwritable-pass", "\(subject) has invalid pass \(value)", "number the passes starting at 1")
    }
    return "\(value)"
  }

  mutating func reportDroppedEntities() {
    report(
      "unwritable-dropped-entities", "\(subject) drops entities that it does not mention, as Xcode's mapping models do",
      "write out their removals first, with 'writingOutRemovals(from:to:)' or 'converted(for:destination:)'")
  }

  mutating func reportRelatedAttribute() {
    report(
      "unwritable-relation", "\(subject) takes its value from the counterparts of source objects",
      "only a relationship can do that; give the attribute an expression")
  }

  private mutating func written(_ name: String, _ text: () throws(UnprintablePart) -> String) -> String? {
    do {
      return anyText(try text(), name)
    } catch {
      report(
        "unwritable-expression",
        "\(subject) has an expression in its '\(name)' that cannot be written as text: \(error)",
        "build it from parts that can be written as text")
      return nil
    }
  }

  private var subject: String {
    let words = path.dropFirst().map(\.subject)
    return words.isEmpty ? path.first?.subject ?? "" : words.reversed().joined(separator: " of ")
  }

  private mutating func report(_ code: String, _ problem: String, _ remedy: String) {
    diagnostics.append(
      Diagnostic(
        .error, code: "mapping-file.\(code)", problem: problem, remedy: remedy, location: path.last?.location))
  }
}

extension Unicode.Scalar {
  /// True if XML 1.0 can represent the character, at least as a reference (§2.2).
  var isAllowedInXML: Bool {
    switch value {
    case 0x09, 0x0A, 0x0D: true
    case 0..<0x20, 0xFFFE, 0xFFFF: false
    default: true
    }
  }
}
