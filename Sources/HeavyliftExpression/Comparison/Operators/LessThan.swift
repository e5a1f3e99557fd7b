/// `a < b`. Never holds if either side is nil.
enum LessThan: ScalarComparison {
  static let comparator = PredicateOperator.less
  static let holdsForNils = false
  static let holdsForNilAndValue = false

  static func holds(_ order: ValueOrder) -> Bool { order == .less }

  static func holds(
    _ left: ExpressionValue, _ right: ExpressionValue, _ options: ComparisonOptions, _ patterns: PatternCache
  ) throws(EvaluationMistake) -> Bool {
    // The most frequent case first.
    if case .integer(let first) = left, case .integer(let second) = right { return first < second }
    if left.isNull || right.isNull { return false }
    return holds(try order(left, right, options: options, for: name))
  }
}
