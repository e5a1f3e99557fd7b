extension ExpressionInspector {
  /// `collection.@operator.keys`: the keys after the operator belong to the elements.
  mutating func inspectCollectionOperator(
    _ operation: CollectionOperator, _ path: ExpressionKeyPath, behind place: Int, _ facts: ExpressionFacts,
    in expression: MappingExpression
  ) -> ExpressionFacts {
    let range = path.range(ofKeyAt: place) ?? expression.range
    let name = "@\(operation.rawValue)"
    let isLast = place == path.keys.count - 1
    if operation.takesNoKey != isLast {
      report(
        isLast
          ? EvaluationMistake.missingKey(behind: operation.rawValue)
          : EvaluationMistake.misplacedKey(behind: operation.rawValue), at: range)
      return .unknown
    }
    let isNullable = facts.type.isNullable
    switch facts.kind {
    case .any, .null: return .unknown
    case .dictionary, .composite:
      return operation == .count ? ExpressionFacts(.integer, isNullable: isNullable) : .unknown
    case .collection: break
    default:
      report(.operand(of: name, expected: "a collection", found: facts.kind), at: range)
      return .unknown
    }
    if operation == .count { return ExpressionFacts(.integer, isNullable: isNullable) }
    var element = ExpressionFacts(facts.kind.element ?? .any)
    element.toManyHops = facts.toManyHops
    var walk = KeyWalk(facts: element, object: MappingExpression(.anyKey))
    let before = findings.count
    follow(path, from: place + 1, &walk, in: expression)
    if walk.facts.kind == .any, findings.count > before { return .unknown }
    return result(of: operation, over: walk.facts.kind, isNullable: isNullable, at: range)
  }

  private mutating func result(
    of operation: CollectionOperator, over element: ExpressionType.Kind, isNullable: Bool, at range: SourceRange
  ) -> ExpressionFacts {
    let name = "@\(operation.rawValue)"
    switch operation {
    case .count: return ExpressionFacts(.integer, isNullable: isNullable)
    case .sum, .avg:
      guard element.isNumeric || element.isOpen else {
        report(.operand(of: name, expected: "numbers", found: element), at: range)
        return .unknown
      }
      if element.isOpen { return ExpressionFacts(.number, isNullable: isNullable) }
      let sum: ExpressionType.Kind = element.isWhole ? .integer : element
      let mean: ExpressionType.Kind = sum == .integer ? .double : sum
      return ExpressionFacts(operation == .sum ? sum : mean, isNullable: isNullable)
    case .min, .max:
      guard element.isOrdered else {
        report(.operand(of: name, expected: "values that can be ordered", found: element), at: range)
        return .unknown
      }
      return ExpressionFacts(element, isNullable: true)
    case .unionOfObjects, .distinctUnionOfObjects:
      return ExpressionFacts(.collection(.array, of: element), isNullable: isNullable)
    case .unionOfArrays, .distinctUnionOfArrays, .unionOfSets, .distinctUnionOfSets:
      guard element.isCollection || element.isOpen else {
        report(.operand(of: name, expected: "collections", found: element), at: range)
        return .unknown
      }
      let isArray = operation == .unionOfArrays || operation == .distinctUnionOfArrays
      return ExpressionFacts(
        .collection(isArray ? .array : .set, of: element.element ?? .any), isNullable: isNullable)
    }
  }
}
