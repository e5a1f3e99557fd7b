import Foundation

/// e raised to the power of a number.
enum Exponential: UnaryFunction {
  static let function = BuiltinFunction.exponential

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    try callReal(operand, name, exp)
  }
}
