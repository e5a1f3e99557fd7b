extension MappingExpression {
  /// Returns the expression with variables replaced by other expressions.
  ///
  /// The variable of a subquery is never replaced, even if it has the same name.
  public func substituting(_ values: [String: MappingExpression]) -> MappingExpression {
    guard !values.isEmpty else { return self }
    switch kind {
    case .variable(let name):
      guard let value = values[name] else { return self }
      return value.relocated(to: range)
    case .subquery(let collection, let variable, let condition):
      var inner = values
      inner[variable] = nil
      let substituted = Kind.subquery(
        collection.substituting(values), variable: variable, condition.substituting(inner))
      return MappingExpression(substituted, at: range, name: nameRange)
    default:
      let substituted = kind.mapExpressions {
        $0.substituting(values)
      } predicates: {
        $0.substituting(values)
      }
      return MappingExpression(substituted, at: range, name: nameRange)
    }
  }
}

extension MappingPredicate {
  /// Returns the predicate with variables replaced by other expressions, which turns a fetch request template into a
  /// request.
  public func substituting(_ values: [String: MappingExpression]) -> MappingPredicate {
    guard !values.isEmpty else { return self }
    let substituted = kind.mapExpressions {
      $0.substituting(values)
    } predicates: {
      $0.substituting(values)
    }
    return MappingPredicate(substituted, at: range)
  }
}
