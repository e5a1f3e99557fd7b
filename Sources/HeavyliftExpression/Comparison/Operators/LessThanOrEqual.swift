/// `a <= b`. Nil is neither less nor more than anything, but nil is equal to nil.
enum LessThanOrEqual: ComparisonOperator {
  static let comparator = Comparator.lessOrEqual

  static func holds(
    _ left: ExpressionValue, _ right: ExpressionValue, _ options: ComparisonOptions, _ patterns: PatternCache
  ) throws(EvaluationMistake) -> Bool {
    if left.isNull || right.isNull { return left.isNull && right.isNull }
    let order = try order(left, right, options: options, for: name)
    return order == .same || order == .less
  }
}
