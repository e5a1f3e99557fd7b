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

/// `a <= b`. Holds if both sides are nil, but not if only one is.
enum LessThanOrEqual: ScalarComparison {
  static let comparator = PredicateOperator.lessOrEqual
  static let holdsForNils = true
  static let holdsForNilAndValue = false

  static func holds(_ order: ValueOrder) -> Bool { order == .less || order == .same }

  static func holds(
    _ left: ExpressionValue, _ right: ExpressionValue, _ options: ComparisonOptions, _ patterns: PatternCache
  ) throws(EvaluationMistake) -> Bool {
    // The most frequent case first.
    if case .integer(let first) = left, case .integer(let second) = right { return first <= second }
    if left.isNull || right.isNull { return left.isNull && right.isNull }
    return holds(try order(left, right, options: options, for: name))
  }
}

/// `a > b`. Never holds if either side is nil.
enum GreaterThan: ScalarComparison {
  static let comparator = PredicateOperator.greater
  static let holdsForNils = false
  static let holdsForNilAndValue = false

  static func holds(_ order: ValueOrder) -> Bool { order == .greater }

  static func holds(
    _ left: ExpressionValue, _ right: ExpressionValue, _ options: ComparisonOptions, _ patterns: PatternCache
  ) throws(EvaluationMistake) -> Bool {
    // The most frequent case first.
    if case .integer(let first) = left, case .integer(let second) = right { return first > second }
    if left.isNull || right.isNull { return false }
    return holds(try order(left, right, options: options, for: name))
  }
}

/// `a >= b`. Holds if both sides are nil, but not if only one is.
enum GreaterThanOrEqual: ScalarComparison {
  static let comparator = PredicateOperator.greaterOrEqual
  static let holdsForNils = true
  static let holdsForNilAndValue = false

  static func holds(_ order: ValueOrder) -> Bool { order == .greater || order == .same }

  static func holds(
    _ left: ExpressionValue, _ right: ExpressionValue, _ options: ComparisonOptions, _ patterns: PatternCache
  ) throws(EvaluationMistake) -> Bool {
    // The most frequent case first.
    if case .integer(let first) = left, case .integer(let second) = right { return first >= second }
    if left.isNull || right.isNull { return left.isNull && right.isNull }
    return holds(try order(left, right, options: options, for: name))
  }
}
