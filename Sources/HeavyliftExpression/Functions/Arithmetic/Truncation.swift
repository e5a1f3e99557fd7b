/// The number without its fraction.
enum Truncation: UnaryFunction {
  static let function = BuiltinFunction.truncate

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    try callReal(operand, name) { $0.rounded(.towardZero) }
  }
}
