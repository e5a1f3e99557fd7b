extension ExpressionInspector {
  /// `+ - * / **` and `modulus:by:`: numbers; `+` and `-` also accept dates.
  mutating func arithmetic(_ operands: Operands) -> ExpressionFacts {
    let (left, right) = (operands.facts[0].kind, operands.facts[1].kind)
    if let kind = dateArithmetic(operands.function, left, right) {
      if left == .null || right == .null { _ = expect("a number", of: operands) { _ in true } }
      return ExpressionFacts(kind, isNullable: operands.isNullable)
    }
    var result = numbers(operands) { kinds in
      if operands.function == .power { return .double }
      return kinds.contains { $0.isOpen } ? .number : ExpressionType.calculated(kinds[0], kinds[1])
    }
    if left == .any || right == .any, operands.function == .add || operands.function == .subtract,
      result.kind == .number
    {
      // The result may be a date.
      result = ExpressionFacts(.any, isNullable: true)
    }
    checkDivision(operands)
    return result
  }

  private func dateArithmetic(
    _ function: BuiltinFunction, _ left: ExpressionType.Kind, _ right: ExpressionType.Kind
  ) -> ExpressionType.Kind? {
    switch (function, left, right) {
    case (.add, .date, let other) where other.isNumeric || other.isOpen: .date
    case (.add, let other, .date) where other.isNumeric || other.isOpen: .date
    case (.subtract, .date, .date): .double
    case (.subtract, .date, .any): .any
    case (.subtract, .date, let other) where other.isNumeric || other.isOpen: .date
    default: nil
    }
  }

  /// Checks for a divisor that is always zero.
  private mutating func checkDivision(_ operands: Operands) {
    guard operands.function == .divide || operands.function == .modulus,
      operands.facts[0].constant == nil,
      let divisor = operands.facts[1].constant.flatMap({ Number($0) }), divisor == .integer(0)
    else { return }
    let range = operands.expressions[1].range
    let kinds = operands.facts.map(\.kind)
    if kinds.allSatisfy({ $0.isWhole || $0 == .decimal }) {
      report(EvaluationMistake.divisionByZero(operands.name), at: range)
    } else {
      report(.realDivisionByZero(operands.name), at: range)
    }
  }
}
