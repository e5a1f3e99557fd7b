/// The text in capitals, whatever the language.
enum Uppercase: UnaryFunction {
  static let function = BuiltinFunction.uppercase

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    try callText(operand, name) { .string($0.inCapitals) }
  }
}
