import Foundation

/// The logarithm to base e.
enum NaturalLogarithm: UnaryFunction {
  static let function = BuiltinFunction.naturalLogarithm

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    try callReal(operand, name, log)
  }
}
