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
