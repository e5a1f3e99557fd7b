import HeavyliftExpression

extension MappingExpression {
  /// Returns true if the variable occurs anywhere in the expression.
  func mentions(variable name: String) -> Bool {
    var isMentioned = false
    visit { if case .variable(name) = $0.kind { isMentioned = true } }
    return isMentioned
  }
}
