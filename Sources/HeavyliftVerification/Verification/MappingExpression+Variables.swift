import HeavyliftExpression

extension MappingExpression {
  /// Whether the variable stands anywhere in the expression.
  func mentions(variable name: String) -> Bool {
    if case .variable(name) = kind { return true }
    var isMentioned = false
    _ = kind.mapExpressions {
      isMentioned = isMentioned || $0.mentions(variable: name)
      return $0
    } predicates: {
      isMentioned = isMentioned || $0.mentions(variable: name)
      return $0
    }
    return isMentioned
  }
}

extension MappingPredicate {
  /// Whether the variable stands anywhere in the predicate.
  fileprivate func mentions(variable name: String) -> Bool {
    var isMentioned = false
    _ = kind.mapExpressions {
      isMentioned = isMentioned || $0.mentions(variable: name)
      return $0
    } predicates: {
      isMentioned = isMentioned || $0.mentions(variable: name)
      return $0
    }
    return isMentioned
  }
}
