/// `a CONTAINS b`: `IN` with its operands swapped.
enum Containment: ComparisonOperator {
  static let comparator = PredicateOperator.contains

  static func holds(
    _ left: ExpressionValue, _ right: ExpressionValue, _ options: ComparisonOptions, _ patterns: PatternCache
  ) throws(EvaluationMistake) -> Bool {
    do {
      return try Membership.holds(right, left, options, patterns)
    } catch .wrongOperand(_, let expected, let found) {
      throw .wrongOperand(of: name, expected: expected, found: found)
    }
  }
}

/// `a BEGINSWITH b`. Never holds for an empty prefix.
enum Prefix: ComparisonOperator {
  static let comparator = PredicateOperator.beginsWith

  static func holds(
    _ left: ExpressionValue, _ right: ExpressionValue, _ options: ComparisonOptions, _ patterns: PatternCache
  ) throws(EvaluationMistake) -> Bool {
    guard let (text, other) = try texts(left, right, of: name) else { return false }
    return TextComparison(options).begins(text, other)
  }
}

/// `a ENDSWITH b`. Never holds for an empty suffix.
enum Suffix: ComparisonOperator {
  static let comparator = PredicateOperator.endsWith

  static func holds(
    _ left: ExpressionValue, _ right: ExpressionValue, _ options: ComparisonOptions, _ patterns: PatternCache
  ) throws(EvaluationMistake) -> Bool {
    guard let (text, other) = try texts(left, right, of: name) else { return false }
    return TextComparison(options).ends(text, other)
  }
}

/// `a LIKE b`: the whole string matches a pattern with `*` and `?`.
enum Like: ComparisonOperator {
  static let comparator = PredicateOperator.like

  static func holds(
    _ left: ExpressionValue, _ right: ExpressionValue, _ options: ComparisonOptions, _ patterns: PatternCache
  ) throws(EvaluationMistake) -> Bool {
    guard let (text, other) = try texts(left, right, of: name) else { return false }
    return patterns.like(other, options).matches(text)
  }
}

/// `a MATCHES b`: the whole string matches a regular expression.
enum Matches: ComparisonOperator {
  static let comparator = PredicateOperator.matches

  static func holds(
    _ left: ExpressionValue, _ right: ExpressionValue, _ options: ComparisonOptions, _ patterns: PatternCache
  ) throws(EvaluationMistake) -> Bool {
    guard let (text, other) = try texts(left, right, of: name) else { return false }
    return try patterns.regular(other, options).matches(text)
  }
}
