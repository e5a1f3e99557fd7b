import HeavyliftExpression

extension MappingExpression {
  /// Whether the variable stands anywhere in the expression.
  func mentions(variable name: String) -> Bool {
    var isMentioned = false
    visit { if case .variable(name) = $0.kind { isMentioned = true } }
    return isMentioned
  }
}
