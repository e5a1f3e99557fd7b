/// The implementation of a comparison operator.
///
/// Operators take plain values, so that compiled predicates and functions registered with SQLite can both use them.
protocol ComparisonOperator: SendableMetatype {
  static var comparator: PredicateOperator { get }
  static func holds(
    _ left: ExpressionValue, _ right: ExpressionValue, _ options: ComparisonOptions, _ patterns: PatternCache
  ) throws(EvaluationMistake) -> Bool
}

extension ComparisonOperator {
  /// The name in messages.
  static var name: String { comparator.rawValue }
}

extension PredicateOperator {
  /// The implementation of the operator. To add an operator, add a file and a line here.
  var implementation: any ComparisonOperator.Type {
    switch self {
    case .equal: Equality.self
    case .notEqual: Inequality.self
    case .less: LessThan.self
    case .lessOrEqual: LessThanOrEqual.self
    case .greater: GreaterThan.self
    case .greaterOrEqual: GreaterThanOrEqual.self
    case .between: Between.self
    case .in: Membership.self
    case .contains: Containment.self
    case .beginsWith: Prefix.self
    case .endsWith: Suffix.self
    case .like: Like.self
    case .matches: Matches.self
    }
  }

  /// Returns true if the comparison holds between two plain values.
  ///
  /// - Throws: `EvaluationMistake`
  package func holds(
    _ left: ExpressionValue, _ right: ExpressionValue, options: ComparisonOptions = [], patterns: PatternCache
  ) throws(EvaluationMistake) -> Bool {
    try implementation.holds(left, right, options, patterns)
  }
}
