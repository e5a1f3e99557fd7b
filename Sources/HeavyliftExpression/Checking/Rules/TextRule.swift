extension ExpressionInspector {
  /// `BEGINSWITH`, `ENDSWITH`, `LIKE`, `MATCHES`: texts on both sides, and a pattern that is one.
  mutating func checkTexts(_ facts: ComparisonFacts) {
    let sides = [(facts.comparison.left, facts.left), (facts.comparison.right, facts.right)]
    var areTexts = true
    for (expression, side) in sides {
      if side.kind == .null {
        report(.neverHolds(facts.name, .comparedWithNil), at: expression.range)
      } else if side.kind != .any, side.kind != .string {
        reportOperand(expression, side, of: facts.name, expected: "strings")
        areTexts = false
      }
    }
    guard areTexts, case .string(let text)? = facts.right.constant else { return }
    let place = facts.comparison.right.range
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

  /// What other languages' patterns look like.
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
