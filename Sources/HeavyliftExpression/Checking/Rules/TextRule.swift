extension ExpressionInspector {
  /// `BEGINSWITH`, `ENDSWITH`, `LIKE`, `MATCHES`: strings on both sides, and a valid pattern.
  mutating func checkTexts(_ facts: ComparisonFacts) {
    let sides = [(facts.comparison.left, facts.left), (facts.comparison.right, facts.right)]
    var areTexts = true
    for (number, (expression, side)) in sides.enumerated() {
      if side.kind == .null {
        report(.neverHolds(facts.name, .comparedWithNil), at: expression.range)
      } else if side.kind != .any, side.kind != .string {
        reportOperand(expression, side, of: facts.name, expected: "strings", place: number == 0 ? .left : .right)
        areTexts = false
      }
    }
    guard areTexts, case .string(let text)? = facts.right.constant else { return }
    let place = facts.comparison.right.range
    if facts.comparison.comparator == .like || facts.comparison.comparator == .matches,
      Self.losesBackslash(facts.comparison.right, text)
    {
      report(.likePattern(.lostBackslash), at: place)
    }
    switch facts.comparison.comparator {
    case .like: checkLike(text, at: place)
    case .matches:
      do {
        _ = try RegularPattern(text, options: facts.comparison.options)
        if text.isEmpty { report(.neverHolds(facts.name, .emptyText), at: place) }
      } catch {
        report(error, at: place)
      }
    default: if text.isEmpty { report(.neverHolds(facts.name, .emptyText), at: place) }
    }
  }

  /// Returns true if a literal has escapes that its content does not need, as in `"\d"`, which is probably meant as
  /// `"\\d"`.
  private static func losesBackslash(_ literal: MappingExpression, _ text: String) -> Bool {
    guard case .constant(.value(.string)) = literal.kind else { return false }
    let written = literal.range.upperBound - literal.range.lowerBound - 2
    var plain = 0
    for scalar in text.unicodeScalars {
      // Characters that may need an escape.
      if !scalar.isASCII || scalar.value < 0x20 || "\\\"'".unicodeScalars.contains(scalar) { return false }
      plain += 1
    }
    return written > plain && written <= 2 * plain
  }

  /// Reports patterns that look like SQL wildcards or regular expressions, and a trailing backslash.
  private mutating func checkLike(_ pattern: String, at range: SourceRange) {
    var isEscaped = false
    for scalar in pattern.unicodeScalars { isEscaped = scalar == "\\" && !isEscaped }
    let hasWildcard = pattern.contains("*") || pattern.contains("?")
    if isEscaped {
      report(.likePattern(.trailingBackslash), at: range)
    } else if pattern.contains(".*") || pattern.contains(".+") || pattern.contains("\\d")
      || (pattern.hasPrefix("^") && pattern.hasSuffix("$"))
    {
      report(.likePattern(.regularExpression), at: range)
    } else if !hasWildcard, pattern.hasPrefix("%") || pattern.hasSuffix("%") {
      report(.likePattern(.percent), at: range)
    } else if let open = pattern.firstIndex(of: "["), pattern[open...].contains("]") {
      report(.likePattern(.brackets), at: range)
    }
  }
}
