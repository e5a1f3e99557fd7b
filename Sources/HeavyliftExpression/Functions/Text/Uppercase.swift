/// The string in uppercase, independent of the locale.
enum Uppercase: UnaryFunction {
  static let function = BuiltinFunction.uppercase

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    try callText(operand, name) { .string($0.inCapitals) }
  }
}
