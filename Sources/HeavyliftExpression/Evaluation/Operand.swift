/// One side of an operator. Operators are specialized for each kind of operand, so that the common kinds need no
/// closure.
protocol Operand: Sendable {
  func value(in context: inout EvaluationContext) throws -> ExpressionValue
  func scalar(in context: inout EvaluationContext) throws -> ExpressionScalar
}

/// An operand whose value is computed by a closure.
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
/// `@unchecked`, because a value can be an object, which is confined to one thread; a constant is never an object.
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
