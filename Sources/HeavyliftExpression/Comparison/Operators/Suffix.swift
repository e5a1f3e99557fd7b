/// `a ENDSWITH b`. No text ends with the empty one.
enum Suffix: ComparisonOperator {
  static let comparator = PredicateOperator.endsWith

  static func holds(
    _ left: ExpressionValue, _ right: ExpressionValue, _ options: ComparisonOptions, _ patterns: PatternCache
  ) throws(EvaluationMistake) -> Bool {
    guard let (text, other) = try texts(left, right, of: name) else { return false }
    return TextComparison(options).ends(text, other)
  }
}
