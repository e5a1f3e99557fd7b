extension ExpressionInspector {
  /// `SUBQUERY(collection, $variable, test)`: the variable holds one element and is available only in the test.
  mutating func inspectSubquery(
    _ collection: MappingExpression, _ variable: String, _ test: MappingPredicate, at range: SourceRange
  ) -> ExpressionFacts {
    let facts = inspect(collection)
    var element = ExpressionType.unknown
    switch facts.kind {
    case .any, .null: break
    case .collection(_, let kind): element = ExpressionType(kind)
    default: report(.operand(of: "SUBQUERY", expected: "a collection", found: facts.kind), at: collection.range)
    }
    if variableNames.contains(variable) { report(.shadowingVariable(variable), at: range) }
    let before = findings.count
    let isUsed = withVariable(variable, element) { $0.inspect(test) }
    if !isUsed, findings.count == before, !test.isLiteral { report(.unusedSubqueryVariable(variable), at: range) }
    guard case .collection = facts.kind else { return ExpressionFacts(.collection(.array, of: .any)) }
    var result = ExpressionFacts(facts.kind)
    result.toManyHops = facts.toManyHops
    return result
  }
}

extension MappingPredicate {
  fileprivate var isLiteral: Bool { if case .literal = kind { true } else { false } }
}
