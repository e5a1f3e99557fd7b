extension ExpressionInspector {
  /// `{a, b}`: an array; its elements can be of any kind.
  mutating func inspectAggregate(_ elements: [MappingExpression]) -> ExpressionFacts {
    var kind = ExpressionType.Kind.null
    var constants: [ExpressionValue]? = []
    var all: [ExpressionFacts] = []
    for element in elements {
      var facts = inspect(element)
      facts.outcomes = []
      all.append(facts)
      kind = joined(kind, facts.kind)
      if let constant = facts.constant { constants?.append(constant) } else { constants = nil }
    }
    var result = ExpressionFacts(
      ExpressionType(.collection(.array, of: kind)), constant: constants.map { .array($0) })
    result.elements = all
    return result
  }
}
