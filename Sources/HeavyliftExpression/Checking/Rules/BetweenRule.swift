extension ExpressionInspector {
  /// `BETWEEN {lowest, highest}`: exactly two bounds of a kind that can be ordered, the lowest first.
  mutating func checkBetween(_ facts: ComparisonFacts) {
    let right = facts.comparison.right
    if facts.left.kind.isCollection, facts.left.toManyHops > 0 {
      report(.toMany(facts.comparison.left.shown, of: facts.name, place: .left), at: facts.comparison.left.range)
      return
    }
    if case .aggregate(let bounds) = right.kind, let kinds = facts.right.elements {
      guard bounds.count == 2 else {
        report(EvaluationMistake.wrongBoundCount(bounds.count), at: right.range)
        return
      }
      for (bound, bounded) in zip(bounds, kinds) {
        check(bound: bounded, of: facts, at: bound.range)
      }
      checkOrder(of: kinds.map(\.constant), at: right.range)
      return
    }
    switch facts.right.kind {
    case .any: break
    case .null: report(.neverHolds(facts.name, .comparedWithNil), at: right.range)
    case .collection(.set, _): report(.unordered("BETWEEN", found: facts.right.kind), at: right.range)
    case .collection(_, let element):
      if let count = facts.right.constant?.elements?.count, count != 2 {
        report(EvaluationMistake.wrongBoundCount(count), at: right.range)
        return
      }
      check(bound: ExpressionFacts(element), of: facts, at: right.range)
      checkOrder(of: facts.right.constant?.elements ?? [], at: right.range)
    default:
      report(.operand(of: facts.name, expected: "an array of two values", found: facts.right.kind), at: right.range)
    }
  }

  private mutating func check(bound: ExpressionFacts, of facts: ComparisonFacts, at range: SourceRange) {
    if bound.kind == .null { report(.neverHolds(facts.name, .comparedWithNil), at: range) }
    if facts.left.kind.isOrdered(with: bound.kind) { return }
    reportIncomparable(facts, left: facts.left.kind, right: bound.kind, at: range)
  }

  private mutating func checkOrder(of bounds: [ExpressionValue?], at range: SourceRange) {
    guard bounds.count == 2, let lowest = bounds[0], let highest = bounds[1], !lowest.isNull, !highest.isNull,
      case .greater? = try? order(lowest, highest, options: [], for: "BETWEEN")
    else { return }
    report(.reversedBounds, at: range)
  }
}
