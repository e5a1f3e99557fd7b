extension ExpressionInspector {
  /// `<`, `<=`, `>`, `>=`: two numbers, strings, dates or UUIDs.
  mutating func checkOrder(_ facts: ComparisonFacts) {
    let (left, right) = (facts.left.kind, facts.right.kind)
    if facts.isUnknown { return }
    if left == .null || right == .null {
      let place = left == .null ? facts.comparison.left.range : facts.comparison.right.range
      let holdsForNil = facts.comparison.comparator == .lessOrEqual || facts.comparison.comparator == .greaterOrEqual
      report(holdsForNil ? .onlyNil(facts.name) : .neverHolds(facts.name, .comparedWithNil), at: place)
    }
    if left.isOrdered(with: right) { return }
    if reportToMany(facts) { return }
    reportIncomparable(facts, left: left, right: right, at: facts.range)
  }
}
