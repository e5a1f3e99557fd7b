/// The string in lowercase, independent of the locale.
enum Lowercase: UnaryFunction {
  static let function = BuiltinFunction.lowercase

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    try callText(operand, name) { .string($0.inSmallLetters) }
  }
}
