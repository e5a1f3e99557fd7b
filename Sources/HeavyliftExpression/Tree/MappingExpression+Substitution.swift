extension MappingExpression {
  /// The same expression with other expressions in the places of variables.
  ///
  /// The variable of a subquery is its own, whatever is given for one of that name.
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
  /// The same predicate with other expressions in the places of variables: what makes a fetch request of a template.
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
