/// The number rounded down to a whole number.
enum Floor: UnaryFunction {
  static let function = BuiltinFunction.floor

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    try callReal(operand, name) { $0.rounded(.down) }
  }
}
