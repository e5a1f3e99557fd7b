extension ExpressionInspector {
  /// Returns the facts about the elements that `ANY` and `ALL` compare; the left side must be exactly one collection.
  mutating func element(
    of facts: ExpressionFacts, _ expression: MappingExpression, under quantifier: Quantifier
  ) -> ExpressionFacts? {
    switch facts.kind {
    case .any: return .unknown
    case .null: return ExpressionFacts(.null, isNullable: true)
    case .collection(_, let element):
      if facts.toManyHops > 1, element.isCollection {
        report(.severalToManyHops(expression.shown, quantifier.rawValue), at: expression.range)
        return nil
      }
      return ExpressionFacts(element, isNullable: true)
    default:
      report(.notQuantifiable(quantifier.rawValue, found: facts.kind), at: expression.range)
      return nil
    }
  }
}
