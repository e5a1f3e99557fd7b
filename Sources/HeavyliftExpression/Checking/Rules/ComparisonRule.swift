extension ExpressionInspector {
  /// A comparison with the facts about its two sides.
  struct ComparisonFacts {
    var comparison: MappingPredicate.Comparison
    /// The facts about the left side, or about one of its elements if there is a quantifier.
    var left: ExpressionFacts
    var right: ExpressionFacts
    var range: SourceRange

    var name: String { comparison.comparator.rawValue }
    /// True if the kind of a side is unknown: it was already reported as a mistake, or it comes from code.
    var isUnknown: Bool { left.kind == .any || right.kind == .any }
  }

  mutating func inspect(_ comparison: MappingPredicate.Comparison, at range: SourceRange) {
    var left = inspect(comparison.left)
    let before = comparedKeys
    // `kind == phone`: the left side is a string, so an unknown key on the right is probably a string without quotes.
    if comparison.right.isPlainKeyPath, !comparison.comparator.ordersValues, left.kind == .string {
      comparedKeys.insert(comparison.right)
    }
    let right = inspect(comparison.right)
    comparedKeys = before
    if let quantifier = comparison.quantifier {
      guard let element = element(of: left, comparison.left, under: quantifier) else { return }
      left = element
    }
    let facts = ComparisonFacts(comparison: comparison, left: left, right: right, range: range)
    checkOptions(facts)
    switch comparison.comparator {
    case .equal, .notEqual: checkEquality(facts)
    case .less, .lessOrEqual, .greater, .greaterOrEqual: checkOrder(facts)
    case .between: checkBetween(facts)
    case .in: checkMembership(facts, of: comparison.left, left, in: comparison.right, right)
    case .contains: checkMembership(facts, of: comparison.right, right, in: comparison.left, left)
    case .beginsWith, .endsWith, .like, .matches: checkTexts(facts)
    }
  }

  private mutating func checkOptions(_ facts: ComparisonFacts) {
    if facts.comparison.options.isEmpty { return }
    let kinds = [facts.left.kind, facts.right.kind].map { $0.element ?? $0 }
    let canBeText = kinds.contains { $0 == .string || $0.isOpen || $0 == .mixed || $0 == .transformable }
    if !canBeText { report(.uselessOptions(facts.name), at: facts.range) }
  }

  /// Reports each side that leads to many values; returns true if either side does.
  mutating func reportToMany(_ facts: ComparisonFacts) -> Bool {
    var isFound = false
    let sides: [(MappingExpression, ExpressionFacts, CheckingMistake.ToManyPlace)] = [
      (facts.comparison.left, facts.left, .left), (facts.comparison.right, facts.right, .right),
    ]
    for (expression, side, place) in sides where side.kind.isCollection && side.toManyHops > 0 {
      report(.toMany(expression.shown, of: facts.name, place: place), at: expression.range)
      isFound = true
    }
    return isFound
  }
}

extension PredicateOperator {
  /// True if the operator compares by order, which is rarely intended for strings.
  fileprivate var ordersValues: Bool {
    switch self {
    case .less, .lessOrEqual, .greater, .greaterOrEqual, .between: true
    default: false
    }
  }
}
