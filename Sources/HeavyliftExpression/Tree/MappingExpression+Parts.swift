extension MappingExpression {
  /// Calls a closure with each direct subexpression and subpredicate.
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

  /// Calls a closure with this expression and all expressions in it.
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
  /// Calls a closure with each direct subexpression and subpredicate.
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

  /// Calls a closure with all expressions in the predicate.
  package func visit(_ body: (MappingExpression) -> Void) {
    forEachPart {
      $0.visit(body)
    } predicates: {
      $0.visit(body)
    }
  }
}
