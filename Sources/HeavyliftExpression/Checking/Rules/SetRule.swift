extension ExpressionInspector {
  /// `a UNION b` and the like: two collections whose elements have related kinds.
  mutating func inspectSet(
    _ operation: SetOperator, _ left: MappingExpression, _ right: MappingExpression, at range: SourceRange
  ) -> ExpressionFacts {
    let (first, second) = (inspect(left), inspect(right))
    var areCollections = true
    for (expression, facts) in [(left, first), (right, second)] {
      if facts.kind == .null { report(.alwaysNil(of: operation.rawValue), at: expression.range) }
      if facts.kind.isOpen || facts.kind.isCollection { continue }
      report(.operand(of: operation.rawValue, expected: "collections", found: facts.kind), at: expression.range)
      areCollections = false
    }
    guard areCollections, case .collection(let kind, let element) = first.kind else { return .unknown }
    let other = second.kind.element ?? .any
    let all = joined(element, other)
    if all == .mixed, element != .mixed, other != .mixed {
      report(.unlikeCollections(operation.rawValue, first.kind, second.kind), at: range)
      return .unknown
    }
    let resultKind: ExpressionType.CollectionKind = kind == .orderedSet ? .orderedSet : .set
    return ExpressionFacts(
      .collection(resultKind, of: operation == .minus ? element : all),
      isNullable: first.type.isNullable || second.type.isNullable)
  }
}
