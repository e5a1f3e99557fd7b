/// The number rounded up to a whole number.
enum Ceiling: UnaryFunction {
  static let function = BuiltinFunction.ceiling

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    try callReal(operand, name) { $0.rounded(.up) }
  }
}
