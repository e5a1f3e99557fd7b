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
