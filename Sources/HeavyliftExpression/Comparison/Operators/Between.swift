/// `a BETWEEN {lowest, highest}`: both bounds are included. If they are reversed, the comparison never holds.
enum Between: ComparisonOperator {
  static let comparator = PredicateOperator.between

  static func holds(
    _ left: ExpressionValue, _ right: ExpressionValue, _ options: ComparisonOptions, _ patterns: PatternCache
  ) throws(EvaluationMistake) -> Bool {
    if left.isNull || right.isNull { return false }
    guard let bounds = right.elements, !isUnordered(right) else {
      throw .wrongOperand(of: name, expected: "an array of two values", found: right.kind)
    }
    guard bounds.count == 2 else { throw .wrongBoundCount(bounds.count) }
    return try holds(left, lowest: bounds[0], highest: bounds[1], options)
  }

  static func holds(
    _ value: ExpressionValue, lowest: ExpressionValue, highest: ExpressionValue, _ options: ComparisonOptions
  ) throws(EvaluationMistake) -> Bool {
    if value.isNull || lowest.isNull || highest.isNull { return false }
    let low = try order(lowest, value, options: options, for: name)
    let high = try order(value, highest, options: options, for: name)
    return (low == .less || low == .same) && (high == .less || high == .same)
  }

  private static func isUnordered(_ value: ExpressionValue) -> Bool { if case .set = value { true } else { false } }
}
