/// The string without case and diacritics: two strings that `==[cd]` considers equal have the same result.
enum Canonical: UnaryFunction {
  static let function = BuiltinFunction.canonical

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    try callText(operand, name) { .string(Folding.canonical.fold($0)) }
  }
}
