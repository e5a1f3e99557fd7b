extension MappingExpression {
  /// Returns the expression with the given range for all its parts: the parts of an argument inserted for a placeholder
  /// have no ranges of their own in the text.
  package func relocated(to range: SourceRange) -> MappingExpression {
    var moved = kind.mapExpressions {
      $0.relocated(to: range)
    } predicates: {
      $0.relocated(to: range)
    }
    if case .keyPath(let base, let path) = moved {
      moved = .keyPath(base: base, ExpressionKeyPath(path.keys, at: path.keys.map { _ in range }))
    }
    return MappingExpression(moved, at: range)
  }

  /// The depth of the tree.
  package var depth: Int {
    var deepest = 0
    forEachPart {
      deepest = max(deepest, $0.depth)
    } predicates: {
      deepest = max(deepest, $0.depth)
    }
    return deepest + 1
  }
}

extension MappingPredicate {
  package func relocated(to range: SourceRange) -> MappingPredicate {
    var moved = kind.mapExpressions {
      $0.relocated(to: range)
    } predicates: {
      $0.relocated(to: range)
    }
    if case .comparison(var comparison) = moved {
      comparison.operatorRange = range
      moved = .comparison(comparison)
    }
    return MappingPredicate(moved, at: range)
  }

  package var depth: Int {
    var deepest = 0
    forEachPart {
      deepest = max(deepest, $0.depth)
    } predicates: {
      deepest = max(deepest, $0.depth)
    }
    return deepest + 1
  }
}

extension MappingExpression.Kind {
  /// Returns an expression of the same kind with transformed parts.
  package func mapExpressions(
    _ expression: (MappingExpression) -> MappingExpression,
    predicates predicate: (MappingPredicate) -> MappingPredicate
  ) -> MappingExpression.Kind {
    switch self {
    case .constant, .object, .variable, .anyKey: self
    case .keyPath(let base, let path): .keyPath(base: expression(base), path)
    case .element(let collection, .at(let index)): .element(of: expression(collection), .at(expression(index)))
    case .element(let collection, let index): .element(of: expression(collection), index)
    case .aggregate(let elements): .aggregate(elements.map(expression))
    case .function(let function, let arguments): .function(function, arguments.map(expression))
    case .otherFunction(let name, let arguments): .otherFunction(name, arguments.map(expression))
    case .call(let receiver, let selector, let arguments):
      .call(receiver: expression(receiver), selector: selector, arguments.map(expression))
    case .cast(let operand, let typeName): .cast(expression(operand), typeName: typeName)
    case .ternary(let condition, let first, let second):
      .ternary(predicate(condition), then: expression(first), otherwise: expression(second))
    case .subquery(let collection, let variable, let condition):
      .subquery(expression(collection), variable: variable, predicate(condition))
    case .fetch(let request, let context, let countOnly):
      .fetch(request: expression(request), context: expression(context), countOnly: countOnly)
    case .set(let operation, let left, let right): .set(operation, expression(left), expression(right))
    case .assignment(let name, let value): .assignment(name, expression(value))
    }
  }
}

extension MappingPredicate.Kind {
  /// Returns a predicate of the same kind with transformed parts.
  package func mapExpressions(
    _ expression: (MappingExpression) -> MappingExpression,
    predicates predicate: (MappingPredicate) -> MappingPredicate
  ) -> MappingPredicate.Kind {
    switch self {
    case .literal: return self
    case .comparison(var comparison):
      comparison.left = expression(comparison.left)
      comparison.right = expression(comparison.right)
      return .comparison(comparison)
    case .custom(var comparison):
      comparison.left = expression(comparison.left)
      comparison.right = expression(comparison.right)
      return .custom(comparison)
    case .not(let negated): return .not(predicate(negated))
    case .and(let predicates): return .and(predicates.map(predicate))
    case .or(let predicates): return .or(predicates.map(predicate))
    }
  }
}
