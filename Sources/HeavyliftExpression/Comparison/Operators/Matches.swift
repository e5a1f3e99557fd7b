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
