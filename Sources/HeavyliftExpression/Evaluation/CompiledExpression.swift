/// An expression made ready to be evaluated many times.
///
/// ```swift
/// var environment = EvaluationEnvironment()
/// let source = environment.declare("source", shape: bookShape)
/// let compiled = try CompiledExpression(MappingExpression(parsing: "$source.seconds * 1000"), in: environment)
/// var context = EvaluationContext(environment)
/// for book in books {
///   context[source] = .object(book)
///   try print(compiled.evaluate(in: &context))
/// }
/// ```
public struct CompiledExpression: Sendable {
  @usableFromInline let code: ExpressionCode
  @usableFromInline let variableCount: Int

  /// Compiles for an environment; a context of the same environment must be used to evaluate.
  ///
  /// - Throws: `ExpressionEvaluationError` for what can be seen to be wrong without any value.
  public init(_ expression: MappingExpression, in environment: EvaluationEnvironment = EvaluationEnvironment()) throws {
    var compiler = ExpressionCompiler(environment)
    code = try compiler.compile(expression).code
    variableCount = compiler.variableCount
  }

  /// The value with what the context holds.
  ///
  /// - Throws: `ExpressionEvaluationError`
  @inlinable public func evaluate(in context: inout EvaluationContext) throws -> ExpressionValue {
    if context.variables.count < variableCount { context.reserve(variableCount) }
    return try code(&context)
  }
}

/// A predicate made ready to be evaluated many times.
public struct CompiledPredicate: Sendable {
  @usableFromInline let code: PredicateCode
  @usableFromInline let variableCount: Int

  /// Compiles for an environment; a context of the same environment must be used to evaluate.
  ///
  /// - Throws: `ExpressionEvaluationError` for what can be seen to be wrong without any value.
  public init(_ predicate: MappingPredicate, in environment: EvaluationEnvironment = EvaluationEnvironment()) throws {
    var compiler = ExpressionCompiler(environment)
    code = try compiler.compile(predicate).code
    variableCount = compiler.variableCount
  }

  /// Whether it holds with what the context holds. It always does or does not: there is no third answer.
  ///
  /// - Throws: `ExpressionEvaluationError`
  @inlinable public func evaluate(in context: inout EvaluationContext) throws -> Bool {
    if context.variables.count < variableCount { context.reserve(variableCount) }
    return try code(&context)
  }
}
