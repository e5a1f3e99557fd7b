extension ExpressionCompiler {
  /// Compiles a call that also has a fast path.
  mutating func compileBinary<Function: ScalarFunction>(
    _ left: MappingExpression, _ right: MappingExpression, _ type: Function.Type, at range: SourceRange
  ) throws -> CompiledPart {
    let (left, right) = (try compile(left), try compile(right))
    if let first = left.constant?.value, let second = right.constant?.value,
      let result = try? Function.call(first, second)
    {
      return constant(result)
    }
    let isScalar = left.scalar != nil && right.scalar != nil
    let (leftCode, rightCode) = (left.operand(ofScalar: isScalar), right.operand(ofScalar: isScalar))
    guard isScalar else { return CompiledPart(code(leftCode, rightCode, type, at: range)) }
    return switch (left.slot, right.slot, right.constant) {
    case (let first?, let second?, _): part(first, second, type, at: range)
    case (let first?, _, let second?): part(first, second, type, at: range)
    case (let first?, nil, nil): part(first, rightCode, type, at: range)
    case (nil, let second?, _): part(leftCode, second, type, at: range)
    case (nil, _, let second?): part(leftCode, second, type, at: range)
    case (nil, nil, nil): part(leftCode, rightCode, type, at: range)
    }
  }

  private func part<Function: ScalarFunction>(
    _ left: some Operand, _ right: some Operand, _ type: Function.Type, at range: SourceRange
  ) -> CompiledPart {
    let plain = code(left, right, type, at: range)
    return CompiledPart(
      { context in
        let first = try left.scalar(in: &context)
        if case .other = first { return try plain(&context) }
        return switch Function.callScalar(first, try right.scalar(in: &context)) {
        case .integer(let value): .integer(value)
        case .double(let value): .double(value)
        case .null: .null
        case .bool(let value): .bool(value)
        case .other: try plain(&context)
        }
      }, plain: plain,
      scalar: { context in
        let first = try left.scalar(in: &context)
        if case .other = first { return .other }
        return Function.callScalar(first, try right.scalar(in: &context))
      })
  }
}
