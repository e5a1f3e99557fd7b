/// Where an operator gets a value from. Operators are compiled for each kind of operand, so that the frequent ones cost
/// no closure of their own.
protocol Operand: Sendable {
  func value(in context: inout EvaluationContext) throws -> ExpressionValue
  func scalar(in context: inout EvaluationContext) throws -> ExpressionScalar
}

/// Whatever has to be evaluated first.
struct CodeOperand: Operand {
  let code: ExpressionCode
  let scalarCode: ScalarCode

  @inline(__always)
  func value(in context: inout EvaluationContext) throws -> ExpressionValue { try code(&context) }

  @inline(__always)
  func scalar(in context: inout EvaluationContext) throws -> ExpressionScalar { try scalarCode(&context) }
}

/// A value out of the text of an expression.
///
/// Unchecked, because a value can be an object, which belongs to one thread; what stands in a text never is.
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
