/// The current time, as the evaluation context provides it.
enum Now: WorldlyFunction {
  static let function = BuiltinFunction.now

  static func call(
    _ arguments: [ExpressionValue], in context: inout EvaluationContext
  ) throws(EvaluationMistake) -> ExpressionValue {
    .date(context.now())
  }
}
