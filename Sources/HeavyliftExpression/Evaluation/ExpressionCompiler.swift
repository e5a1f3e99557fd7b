/// An executable part of an expression.
@usableFromInline typealias ExpressionCode = @Sendable (inout EvaluationContext) throws -> ExpressionValue
/// An executable part of an expression that creates no `ExpressionValue`; returns `other` if it needs one.
typealias ScalarCode = @Sendable (inout EvaluationContext) throws -> ExpressionScalar

/// Turns a tree into closures once, so that no lookup or decision is repeated for every row.
///
/// Closures are nested as deeply as the tree, so its depth is limited; the default limit for text is much lower.
///
/// Numeric code is compiled twice: into a fast path that only handles scalars, and into a plain path that takes over if
/// the fast one gives up. Running both is harmless, because only repeatable parts have a fast path: keys, constants,
/// and operators on them. The fast path evaluates operands in the same order and stops at the first non-scalar, so if
/// there are two mistakes, both paths report the same one. The plain path never retries a fast one, because that would
/// double the time at every level of the tree.
struct ExpressionCompiler {
  private static let depthLimit = 512

  let environment: EvaluationEnvironment
  let coding: KeyValueCoding
  /// The names in scope, innermost last, with their slots.
  private var scope: [(name: String, slot: Int, shape: (any ExpressionObjectShape)?)]
  private(set) var variableCount: Int
  private var depth = 0

  init(_ environment: EvaluationEnvironment) {
    self.environment = environment
    coding = KeyValueCoding(functions: environment.functions)
    scope = environment.variables.enumerated().map { ($1.name, EvaluationEnvironment.slot(at: $0), $1.shape) }
    variableCount = EvaluationEnvironment.slot(at: scope.count)
  }

  /// Runs the body one level deeper; throws if that exceeds the depth limit.
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

  /// Declares a variable in a new slot while the body runs, hiding any other variable of that name.
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

/// Runs code, and adds the range in the text to its errors.
@inline(__always)
func located<Result>(at range: SourceRange, _ body: () throws -> Result) throws -> Result {
  do {
    return try body()
  } catch {
    throw located(error, at: range)
  }
}

/// Adds a range to the error unless it already has one.
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
