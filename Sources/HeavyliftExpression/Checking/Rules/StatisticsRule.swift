extension ExpressionInspector {
  /// `sum(collection)` and the other statistical functions.
  mutating func statistics(_ operands: Operands) -> ExpressionFacts {
    let (facts, expression) = (operands.facts[0], operands.expressions[0])
    let isNullable = facts.type.isNullable
    if facts.kind == .any { return unknownStatistics(operands.function) }
    if facts.kind == .null {
      report(.alwaysNil(of: operands.name), at: expression.range)
      return unknownStatistics(operands.function)
    }
    if operands.function == .count, facts.kind == .dictionary {
      return ExpressionFacts(.integer, isNullable: isNullable)
    }
    guard let element = facts.kind.element else {
      report(.operand(of: operands.name, expected: "a collection", found: facts.kind), at: expression.range)
      return unknownStatistics(operands.function)
    }
    switch operands.function {
    case .count: return ExpressionFacts(.integer, isNullable: isNullable)
    case .distinct: return ExpressionFacts(.collection(.array, of: element), isNullable: isNullable)
    case .min, .max:
      guard element.isOrdered else {
        report(
          .operand(of: operands.name, expected: "values that can be ordered", found: facts.kind), at: expression.range)
        return .unknown
      }
      return ExpressionFacts(element, isNullable: isNullable)
    default: break
    }
    guard element.isNumeric || element.isOpen else {
      report(.operand(of: operands.name, expected: "numbers", found: facts.kind), at: expression.range)
      return unknownStatistics(operands.function)
    }
    let sum: ExpressionType.Kind = element.isOpen ? .number : element.isWhole ? .integer : element
    let kind: ExpressionType.Kind =
      switch operands.function {
      case .sum: sum
      case .mode: .collection(.array, of: element)
      case .stddev: .double
      case .median: sum == .double || sum == .decimal ? sum : .number
      default: sum == .decimal || sum == .number ? sum : .double
      }
    return ExpressionFacts(kind, isNullable: isNullable)
  }

  private func unknownStatistics(_ function: BuiltinFunction) -> ExpressionFacts {
    switch function {
    case .count: ExpressionFacts(.integer, isNullable: true)
    case .min, .max: .unknown
    case .mode, .distinct: ExpressionFacts(.collection(.array, of: .any), isNullable: true)
    default: ExpressionFacts(.number, isNullable: true)
    }
  }
}
