/// An expression compiled for repeated evaluation.
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

  /// Compiles an expression for an environment; evaluate it with a context of the same environment.
  ///
  /// - Throws: `ExpressionEvaluationError` for mistakes that can be found without evaluation.
  public init(_ expression: MappingExpression, in environment: EvaluationEnvironment = EvaluationEnvironment()) throws {
    var compiler = ExpressionCompiler(environment)
    code = try compiler.compile(expression).code
    variableCount = compiler.variableCount
  }

  /// Returns the value for the variables in the context.
  ///
  /// - Throws: `ExpressionEvaluationError`
  @inlinable public func evaluate(in context: inout EvaluationContext) throws -> ExpressionValue {
    if context.variables.count < variableCount { context.reserve(variableCount) }
    return try code(&context)
  }
}

/// A predicate compiled for repeated evaluation.
public struct CompiledPredicate: Sendable {
  @usableFromInline let code: PredicateCode
  @usableFromInline let variableCount: Int

  /// Compiles a predicate for an environment; evaluate it with a context of the same environment.
  ///
  /// - Throws: `ExpressionEvaluationError` for mistakes that can be found without evaluation.
  public init(_ predicate: MappingPredicate, in environment: EvaluationEnvironment = EvaluationEnvironment()) throws {
    var compiler = ExpressionCompiler(environment)
    code = try compiler.compile(predicate).code
    variableCount = compiler.variableCount
  }

  /// Returns true if the predicate holds for the variables in the context. Unlike in SQL, the result is never unknown.
  ///
  /// - Throws: `ExpressionEvaluationError`
  @inlinable public func evaluate(in context: inout EvaluationContext) throws -> Bool {
    if context.variables.count < variableCount { context.reserve(variableCount) }
    return try code(&context)
  }
}
