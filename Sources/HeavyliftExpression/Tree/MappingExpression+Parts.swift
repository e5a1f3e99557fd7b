extension MappingExpression {
  /// Calls a body with each expression and each predicate that this one is made of, but not with theirs.
  package func forEachPart(
    _ expression: (MappingExpression) -> Void, predicates predicate: (MappingPredicate) -> Void
  ) {
    _ = kind.mapExpressions {
      expression($0)
      return $0
    } predicates: {
      predicate($0)
      return $0
    }
  }

  /// Calls a body with this expression and all within it.
  package func visit(_ body: (MappingExpression) -> Void) {
    body(self)
    forEachPart {
      $0.visit(body)
    } predicates: {
      $0.visit(body)
    }
  }
}

extension MappingPredicate {
  /// Calls a body with each expression and each predicate that this one is made of, but not with theirs.
  package func forEachPart(
    _ expression: (MappingExpression) -> Void, predicates predicate: (MappingPredicate) -> Void
  ) {
    _ = kind.mapExpressions {
      expression($0)
      return $0
    } predicates: {
      predicate($0)
      return $0
    }
  }

  /// Calls a body with all expressions within.
  package func visit(_ body: (MappingExpression) -> Void) {
    forEachPart {
      $0.visit(body)
    } predicates: {
      $0.visit(body)
    }
  }
}
