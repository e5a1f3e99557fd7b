/// Another name for `random:`.
enum RandomNumberN: WorldlyFunction {
  static let function = BuiltinFunction.randomN

  static func call(
    _ arguments: [ExpressionValue], in context: inout EvaluationContext
  ) throws(EvaluationMistake) -> ExpressionValue {
    try RandomNumberBelow.call(arguments, in: &context)
  }
}
