/// The square root; of a negative number it is no number.
enum SquareRoot: UnaryFunction {
  static let function = BuiltinFunction.squareRoot

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    try callReal(operand, name) { $0.squareRoot() }
  }
}
