/// A part of an expression, ready to run.
typealias ExpressionCode = @Sendable (inout EvaluationContext) throws -> ExpressionValue
/// A part of a predicate, ready to run.
typealias PredicateCode = @Sendable (inout EvaluationContext) throws -> Bool

/// Turns a tree into closures once, so that nothing is looked up or decided again for every row.
///
/// Closures call one another as deep as the tree is; a tree that no text could have given is refused.
struct ExpressionCompiler {
  /// A compiled expression, and what is known of its value beforehand.
  struct Compiled {
    var code: ExpressionCode
    var constant: ConstantValue?
    var shape: (any ExpressionObjectShape)?
    /// The slot, if it is a variable and nothing else.
    var variable: Int?
    /// The key of a variable's object, if it is one and nothing else.
    var slot: SlotOperand?
  }

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
    scope = environment.variables.enumerated().map { ($1.name, $0, $1.shape) }
    variableCount = scope.count
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

  func variable(_ name: String, at range: SourceRange) throws -> Compiled {
    guard let found = scope.last(where: { $0.name == name }) else {
      throw ExpressionEvaluationError(.unknownVariable(name, known: scope.map(\.name)), at: range)
    }
    let slot = found.slot
    return Compiled(code: { $0.variables[slot] }, shape: found.shape, variable: slot)
  }

  func constant(_ value: ExpressionValue) -> Compiled {
    let constant = ConstantValue(value)
    return Compiled(code: { _ in constant.value }, constant: constant)
  }
}

/// A value out of the text of an expression.
///
/// Unchecked, because a value can be an object, which belongs to one thread; what stands in a text never is.
struct ConstantValue: @unchecked Sendable {
  let value: ExpressionValue

  init(_ value: ExpressionValue) { self.value = value }
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
