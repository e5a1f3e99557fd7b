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
