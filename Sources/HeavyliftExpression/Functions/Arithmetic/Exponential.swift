import Foundation

/// A power of e.
enum Exponential: UnaryFunction {
  static let function = BuiltinFunction.exponential

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    try callReal(operand, name, exp)
  }
}
