/// `a == b`: nil equals nil, numbers of different kinds are compared by value, and a number never equals a string.
enum Equality: ScalarComparison {
  static let comparator = PredicateOperator.equal
  static let holdsForNils = true
  static let holdsForNilAndValue = false

  static func holds(_ order: ValueOrder) -> Bool { order == .same }

  static func holds(
    _ left: ExpressionValue, _ right: ExpressionValue, _ options: ComparisonOptions, _ patterns: PatternCache
  ) throws(EvaluationMistake) -> Bool {
    // The most frequent case first.
    if case .integer(let first) = left, case .integer(let second) = right { return first == second }
    return areEqual(left, right, options: options)
  }
}

/// `a != b`: the negation of `==`; nil differs from every value.
enum Inequality: ScalarComparison {
  static let comparator = PredicateOperator.notEqual
  static let holdsForNils = false
  static let holdsForNilAndValue = true

  static func holds(_ order: ValueOrder) -> Bool { order != .same }

  static func holds(
    _ left: ExpressionValue, _ right: ExpressionValue, _ options: ComparisonOptions, _ patterns: PatternCache
  ) throws(EvaluationMistake) -> Bool {
    // The most frequent case first.
    if case .integer(let first) = left, case .integer(let second) = right { return first != second }
    return !areEqual(left, right, options: options)
  }
}
