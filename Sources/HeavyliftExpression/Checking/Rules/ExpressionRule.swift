extension ExpressionInspector {
  /// Checks an expression and returns the facts about its value.
  mutating func inspect(_ expression: MappingExpression) -> ExpressionFacts {
    var facts = descend(at: expression.range) { $0.inspectNode(expression) } ?? .unknown
    if isKnownNotNull(expression) { facts.type.isNullable = false }
    if facts.outcomes.isEmpty {
      facts.outcomes = [.init(expression: expression, type: facts.type, constant: facts.constant)]
    }
    return facts
  }

  private mutating func inspectNode(_ expression: MappingExpression) -> ExpressionFacts {
    let place = expression.nameRange
    switch expression.kind {
    case .constant(let constant): return inspectConstant(ExpressionValue(constant))
    case .object: return inspectObject(at: place)
    case .variable(let name): return inspectVariable(name, at: place)
    case .keyPath(let base, let path): return inspectKeyPath(base, path, in: expression)
    case .element(let collection, let index): return inspectElement(of: collection, index, at: place)
    case .aggregate(let elements): return inspectAggregate(elements)
    case .function(.elementAtIndex, let arguments) where arguments.count == 2:
      return inspectElement(of: arguments[0], .at(arguments[1]), at: place)
    case .function(let function, let arguments): return inspectFunction(function, arguments, at: place)
    case .otherFunction(let name, let arguments): return inspectOtherFunction(name, arguments, at: place)
    case .call(let receiver, let selector, let arguments):
      return inspectCall(receiver, selector, arguments, at: place)
    case .cast(let operand, let typeName): return inspectCast(operand, typeName, at: place)
    case .ternary(let test, let first, let second): return inspectTernary(test, first, second, at: place)
    case .subquery(let collection, let variable, let test):
      return inspectSubquery(collection, variable, test, at: place)
    case .fetch(let request, let context, let countOnly):
      return inspectFetch(request, context, countOnly: countOnly, at: place)
    case .set(let operation, let left, let right): return inspectSet(operation, left, right, at: place)
    case .assignment(let name, let value):
      _ = inspect(value)
      report(EvaluationMistake.assignment(name), at: place)
      return .unknown
    case .anyKey:
      report(EvaluationMistake.anyKey, at: place)
      return .unknown
    }
  }

  private func inspectConstant(_ value: ExpressionValue) -> ExpressionFacts {
    ExpressionFacts(ExpressionType(ExpressionType.Kind(value), isNullable: value.isNull), constant: value)
  }

  /// Returns the nearest common ancestor of two entities in the source model, or else in the destination model.
  func common(_ left: String, _ right: String) -> String? {
    if left == right { return left }
    return environment.model(.source)?.commonEntity(left, right)
      ?? environment.model(.destination)?.commonEntity(left, right)
  }

  func joined(_ left: ExpressionType.Kind, _ right: ExpressionType.Kind) -> ExpressionType.Kind {
    left.joined(with: right) { common($0, $1) }
  }
}
