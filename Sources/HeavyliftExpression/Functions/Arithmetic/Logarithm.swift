import Foundation

/// The logarithm to base 10.
enum Logarithm: UnaryFunction {
  static let function = BuiltinFunction.logarithm

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    try callReal(operand, name, log10)
  }
}
