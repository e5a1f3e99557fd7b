extension ExpressionCompiler {
  mutating func compileFunction(
    _ function: BuiltinFunction, _ arguments: [MappingExpression], at range: SourceRange
  ) throws -> CompiledPart {
    guard arguments.count == function.argumentCount else {
      throw ExpressionEvaluationError(
        .wrongArgumentCount(function.rawValue, expected: function.argumentCount, found: arguments.count), at: range)
    }
    if function == .elementAtIndex, let index = symbolicIndex(arguments[1]) {
      return try compile(MappingExpression(.element(of: arguments[0], index), at: range))
    }
    switch function {
    // The most frequent functions have cases of their own, in which the compiler knows the type and specializes the
    // closures.
    case .add: return try compileBinary(arguments[0], arguments[1], Addition.self, at: range)
    case .subtract: return try compileBinary(arguments[0], arguments[1], Subtraction.self, at: range)
    case .multiply: return try compileBinary(arguments[0], arguments[1], Multiplication.self, at: range)
    case .divide: return try compileBinary(arguments[0], arguments[1], Division.self, at: range)
    case .modulus: return try compileBinary(arguments[0], arguments[1], Modulus.self, at: range)
    case .uppercase: return try compileUnary(arguments[0], Uppercase.self, at: range)
    case .lowercase: return try compileUnary(arguments[0], Lowercase.self, at: range)
    default: break
    }
    switch function.implementation {
    case .unary(let type): return try compileUnary(arguments[0], type, at: range)
    case .binary(let type): return try compileBinary(arguments[0], arguments[1], type, at: range)
    case .worldly(let type):
      let codes = try arguments.map { try compile($0).code }
      return CompiledPart({ context in
        var values: [ExpressionValue] = []
        for code in codes { values.append(try code(&context)) }
        do { return try type.call(values, in: &context) } catch { throw located(error, at: range) }
      })
    }
  }

  /// Compiles a call. A call with constant arguments is evaluated immediately. If that fails, the error is not reported
  /// until evaluation, because the call may be in a branch that is never taken.
  private mutating func compileUnary<Function: UnaryFunction>(
    _ operand: MappingExpression, _ type: Function.Type, at range: SourceRange
  ) throws -> CompiledPart {
    let operand = try compile(operand)
    if let value = operand.constant?.value, let result = try? Function.call(value) { return constant(result) }
    if let slot = operand.slot { return CompiledPart(code(slot, type, at: range)) }
    return CompiledPart(code(operand.operand(ofScalar: false), type, at: range))
  }

  private func code<Function: UnaryFunction>(
    _ operand: some Operand, _ type: Function.Type, at range: SourceRange
  ) -> ExpressionCode {
    { context in
      let value = try operand.value(in: &context)
      do { return try Function.call(value) } catch { throw located(error, at: range) }
    }
  }

  private mutating func compileBinary<Function: BinaryFunction>(
    _ left: MappingExpression, _ right: MappingExpression, _ type: Function.Type, at range: SourceRange
  ) throws -> CompiledPart {
    let (left, right) = (try compile(left), try compile(right))
    if let first = left.constant?.value, let second = right.constant?.value,
      let result = try? Function.call(first, second)
    {
      return constant(result)
    }
    let (leftCode, rightCode) = (left.operand(ofScalar: false), right.operand(ofScalar: false))
    return CompiledPart(code(leftCode, rightCode, type, at: range))
  }

  func code<Function: BinaryFunction>(
    _ left: some Operand, _ right: some Operand, _ type: Function.Type, at range: SourceRange
  ) -> ExpressionCode {
    { context in
      let (first, second) = (try left.value(in: &context), try right.value(in: &context))
      do { return try Function.call(first, second) } catch { throw located(error, at: range) }
    }
  }

  /// Compiles a unary operation that is not a built-in function.
  mutating func compileUnary(
    _ operand: MappingExpression, at range: SourceRange,
    _ function: @escaping @Sendable (ExpressionValue) throws -> ExpressionValue
  ) throws -> CompiledPart {
    let operand = try compile(operand)
    if let value = operand.constant?.value, let result = try? function(value) { return constant(result) }
    let code = operand.code
    return CompiledPart({ context in
      let value = try code(&context)
      do { return try function(value) } catch { throw located(error, at: range) }
    })
  }

  /// Compiles a binary operation that is not a built-in function.
  mutating func compileBinary(
    _ left: MappingExpression, _ right: MappingExpression, at range: SourceRange,
    _ function: @escaping @Sendable (ExpressionValue, ExpressionValue) throws -> ExpressionValue
  ) throws -> CompiledPart {
    let (left, right) = (try compile(left), try compile(right))
    if let first = left.constant?.value, let second = right.constant?.value,
      let result = try? function(first, second)
    {
      return constant(result)
    }
    let (leftCode, rightCode) = (left.code, right.code)
    return CompiledPart({ context in
      let (first, second) = (try leftCode(&context), try rightCode(&context))
      do { return try function(first, second) } catch { throw located(error, at: range) }
    })
  }

  /// Returns the index for `FIRST`, `LAST` or `SIZE` as an argument, where these words mean the same as in brackets.
  private func symbolicIndex(_ argument: MappingExpression) -> ElementIndex? {
    guard case .keyPath(let base, let path) = argument.kind, case .object = base.kind, path.keys.count == 1,
      case .name(let name) = path.keys[0]
    else { return nil }
    return switch name.uppercased() {
    case "FIRST": .first
    case "LAST": .last
    case "SIZE": .size
    default: nil
    }
  }
}
