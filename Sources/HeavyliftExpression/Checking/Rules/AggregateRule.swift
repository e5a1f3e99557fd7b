extension ExpressionInspector {
  /// `{a, b}`: an array of whatever is in it.
  mutating func inspectAggregate(_ elements: [MappingExpression]) -> ExpressionFacts {
    var kind = ExpressionType.Kind.null
    var constants: [ExpressionValue]? = []
    for element in elements {
      let facts = inspect(element)
      kind = joined(kind, facts.kind)
      if let constant = facts.constant { constants?.append(constant) } else { constants = nil }
    }
    return ExpressionFacts(ExpressionType(.collection(.array, of: kind)), constant: constants.map { .array($0) })
  }
}
