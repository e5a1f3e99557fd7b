extension ExpressionCompiler {
  mutating func compileAddition(
    _ left: MappingExpression, _ right: MappingExpression, at range: SourceRange
  ) throws -> Compiled {
    try compileBinary(left, right, at: range) { left, right in
      if case .integer(let first) = left, case .integer(let second) = right {
        let (sum, overflow) = first.addingReportingOverflow(second)
        if !overflow { return .integer(sum) }
      }
      return try Addition.call(left, right)
    }
  }

  mutating func compileSubtraction(
    _ left: MappingExpression, _ right: MappingExpression, at range: SourceRange
  ) throws -> Compiled {
    try compileBinary(left, right, at: range) { left, right in
      if case .integer(let first) = left, case .integer(let second) = right {
        let (difference, overflow) = first.subtractingReportingOverflow(second)
        if !overflow { return .integer(difference) }
      }
      return try Subtraction.call(left, right)
    }
  }

  mutating func compileMultiplication(
    _ left: MappingExpression, _ right: MappingExpression, at range: SourceRange
  ) throws -> Compiled {
    try compileBinary(left, right, at: range) { left, right in
      if case .integer(let first) = left, case .integer(let second) = right {
        let (product, overflow) = first.multipliedReportingOverflow(by: second)
        if !overflow { return .integer(product) }
      }
      return try Multiplication.call(left, right)
    }
  }
}
