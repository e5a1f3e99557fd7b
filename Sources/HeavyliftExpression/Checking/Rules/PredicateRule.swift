extension ExpressionInspector {
  /// Checks a predicate.
  mutating func inspect(_ predicate: MappingPredicate) {
    _ = descend(at: predicate.range) { $0.inspectNode(predicate) }
  }

  private mutating func inspectNode(_ predicate: MappingPredicate) {
    switch predicate.kind {
    case .literal: break
    case .not(let negated): inspect(negated)
    case .and(let parts), .or(let parts): for part in parts { inspect(part) }
    case .comparison(let comparison):
      let place = comparison.operatorRange
      inspect(comparison, at: place == SourceRange() ? predicate.range : place)
    case .custom(let comparison):
      _ = inspect(comparison.left)
      _ = inspect(comparison.right)
      let place = SourceRange(comparison.left.range.upperBound, comparison.right.range.lowerBound)
      report(
        EvaluationMistake.customOperator(comparison.name),
        at: place.lowerBound < place.upperBound ? place : predicate.range)
    }
  }
}
