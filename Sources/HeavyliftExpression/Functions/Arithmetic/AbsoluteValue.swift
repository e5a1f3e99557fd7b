/// The number without its sign.
enum AbsoluteValue: UnaryFunction {
  static let function = BuiltinFunction.absolute

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    try callReal(operand, name) { $0.magnitude }
  }
}
