/// The text without differences of case and without diacritics: two texts that `==[cd]` takes for equal.
enum Canonical: UnaryFunction {
  static let function = BuiltinFunction.canonical

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    try callText(operand, name) { .string(Folding.canonical.fold($0)) }
  }
}
