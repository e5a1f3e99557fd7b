extension ExpressionInspector {
  /// `TERNARY(test, first, second)`: keys that the test requires to be non-nil count as non-nil in the matching branch.
  mutating func inspectTernary(
    _ test: MappingPredicate, _ first: MappingExpression, _ second: MappingExpression, at range: SourceRange
  ) -> ExpressionFacts {
    inspect(test)
    let then = knowing(test.keysNotNil(when: true)) { $0.inspect(first) }
    let otherwise = knowing(test.keysNotNil(when: false)) { $0.inspect(second) }
    let kind = joined(then.kind, otherwise.kind)
    if kind == .mixed, then.kind != .mixed, otherwise.kind != .mixed {
      report(.branches(then.kind, otherwise.kind), at: range)
      return .unknown
    }
    var result = ExpressionFacts(kind, isNullable: then.type.isNullable || otherwise.type.isNullable)
    result.toManyHops = max(then.toManyHops, otherwise.toManyHops)
    result.outcomes = then.outcomes + otherwise.outcomes
    return result
  }
}
