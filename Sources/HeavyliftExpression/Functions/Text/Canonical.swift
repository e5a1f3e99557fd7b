/// The string folded so that differences in case and diacritics disappear, as for `LIKE[cd]`.
enum Canonical: UnaryFunction {
  static let function = BuiltinFunction.canonical

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    try callText(operand, name) { .string(Folding.canonical.fold($0)) }
  }
}
