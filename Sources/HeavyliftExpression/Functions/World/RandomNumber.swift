/// An integer from the range of C's `random()`: non-negative and below 2³¹.
enum RandomNumber: WorldlyFunction {
  static let function = BuiltinFunction.random

  static func call(
    _ arguments: [ExpressionValue], in context: inout EvaluationContext
  ) throws(EvaluationMistake) -> ExpressionValue {
    .integer(Int64.random(in: 0..<1 << 31, using: &context.generator))
  }
}
