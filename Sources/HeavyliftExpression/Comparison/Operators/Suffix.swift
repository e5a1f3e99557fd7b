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
