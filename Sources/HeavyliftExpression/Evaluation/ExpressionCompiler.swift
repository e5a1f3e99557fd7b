/// A part of an expression, ready to run.
@usableFromInline typealias ExpressionCode = @Sendable (inout EvaluationContext) throws -> ExpressionValue
/// A part of an expression that runs without making values; `other` where that cannot be.
typealias ScalarCode = @Sendable (inout EvaluationContext) throws -> ExpressionScalar

/// Turns a tree into closures once, so that nothing is looked up or decided again for every row.
///
/// Closures call one another as deep as the tree is; a tree that no text could have given is refused.
///
/// What calculates with numbers is compiled twice: into a short way that handles nothing but scalars, and into the plain
/// one, which decides wherever the short one gives up. Going both ways does no harm, because a short way exists only for
/// what can be repeated: keys, constants, and operators over them. It goes through the operands in the same order, and
/// no further than to the first that is no scalar, so that of two mistakes the same one is told. The plain way never
/// tries a short one again, or the time would grow with every level of the tree.
struct ExpressionCompiler {
  private static let depthLimit = 512

  let environment: EvaluationEnvironment
  let coding: KeyValueCoding
  /// Names in scope, the innermost last, with their slots.
  private var scope: [(name: String, slot: Int, shape: (any ExpressionObjectShape)?)]
  private(set) var variableCount: Int
  private var depth = 0

  init(_ environment: EvaluationEnvironment) {
    self.environment = environment
    coding = KeyValueCoding(functions: environment.functions)
    scope = environment.variables.enumerated().map { ($1.name, EvaluationEnvironment.slot(at: $0), $1.shape) }
    variableCount = EvaluationEnvironment.slot(at: scope.count)
  }

  /// Goes one level deeper for as long as the body runs.
  mutating func descend<Result>(
    at range: SourceRange, _ body: (inout ExpressionCompiler) throws -> Result
  ) throws -> Result {
    guard depth < ExpressionCompiler.depthLimit else {
      throw ExpressionEvaluationError(.tooDeep(limit: ExpressionCompiler.depthLimit), at: range)
    }
    depth += 1
    defer { depth -= 1 }
    return try body(&self)
  }

  /// Gives a name a slot of its own, hiding another of that name, for as long as the body runs.
  mutating func withVariable<Result>(
    _ name: String, shape: (any ExpressionObjectShape)?, _ body: (inout ExpressionCompiler, Int) throws -> Result
  ) throws -> Result {
    let slot = variableCount
    variableCount += 1
    scope.append((name, slot, shape))
    defer { scope.removeLast() }
    return try body(&self, slot)
  }

  func variable(_ name: String, at range: SourceRange) throws -> CompiledPart {
    guard let found = scope.last(where: { $0.name == name }) else {
      throw ExpressionEvaluationError(.unknownVariable(name, known: scope.map(\.name)), at: range)
    }
    return variable(found.slot, shape: found.shape)
  }

  func variable(_ slot: Int, shape: (any ExpressionObjectShape)?) -> CompiledPart {
    CompiledPart({ $0[slot] }, shape: shape, variable: slot)
  }

  func constant(_ value: ExpressionValue) -> CompiledPart {
    let constant = ConstantValue(value)
    let scalar: ScalarCode = { _ in constant.scalar }
    return CompiledPart(
      { _ in constant.value }, scalar: constant.scalar == .other ? nil : scalar, constant: constant)
  }
}

/// Runs code, and adds to a mistake where in the text it was made.
@inline(__always)
func located<Result>(at range: SourceRange, _ body: () throws -> Result) throws -> Result {
  do {
    return try body()
  } catch {
    throw located(error, at: range)
  }
}

/// The error with its place, if it has none yet.
@inline(never)
func located(_ error: any Error, at range: SourceRange) -> any Error {
  switch error {
  case let mistake as EvaluationMistake: ExpressionEvaluationError(mistake, at: range)
  case let failed as FailedKey:
    ExpressionEvaluationError(
      .failedKey(failed.key, "\(failed.underlying)"), at: range, underlying: failed.underlying)
  default: error
  }
}
