/// The source of an operator's value. Operators are specialized for each kind of operand, so that frequent ones need no
/// closure.
protocol Operand: Sendable {
  func value(in context: inout EvaluationContext) throws -> ExpressionValue
  func scalar(in context: inout EvaluationContext) throws -> ExpressionScalar
}

/// Code that must be evaluated first.
struct CodeOperand: Operand {
  let code: ExpressionCode
  let scalarCode: ScalarCode

  @inline(__always)
  func value(in context: inout EvaluationContext) throws -> ExpressionValue { try code(&context) }

  @inline(__always)
  func scalar(in context: inout EvaluationContext) throws -> ExpressionScalar { try scalarCode(&context) }
}

/// A constant in an expression.
///
/// Unchecked, because a value can be an object, which is confined to one thread; a constant in text never is.
struct ConstantValue: Operand, @unchecked Sendable {
  let value: ExpressionValue
  let scalar: ExpressionScalar

  init(_ value: ExpressionValue) {
    self.value = value
    scalar = ExpressionScalar(value)
  }

  @inline(__always)
  func value(in context: inout EvaluationContext) throws -> ExpressionValue { value }

  @inline(__always)
  func scalar(in context: inout EvaluationContext) throws -> ExpressionScalar { scalar }
}
