/// The square root; NaN for a negative number.
enum SquareRoot: UnaryFunction {
  static let function = BuiltinFunction.squareRoot

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    try callReal(operand, name) { $0.squareRoot() }
  }
}
