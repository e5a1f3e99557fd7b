/// The time of the evaluation, as its context tells it.
enum Now: WorldlyFunction {
  static let function = BuiltinFunction.now

  static func call(
    _ arguments: [ExpressionValue], in context: inout EvaluationContext
  ) throws(EvaluationMistake) -> ExpressionValue {
    .date(context.now())
  }
}
