/// The current time, as the evaluation context provides it.
enum Now: WorldlyFunction {
  static let function = BuiltinFunction.now

  static func call(
    _ arguments: [ExpressionValue], in context: inout EvaluationContext
  ) throws(EvaluationMistake) -> ExpressionValue {
    .date(context.now())
  }
}

/// An integer from the range of C's `random()`: non-negative and below 2³¹.
enum RandomNumber: WorldlyFunction {
  static let function = BuiltinFunction.random

  static func call(
    _ arguments: [ExpressionValue], in context: inout EvaluationContext
  ) throws(EvaluationMistake) -> ExpressionValue {
    .integer(Int64.random(in: 0..<1 << 31, using: &context.generator))
  }
}

/// A non-negative integer below the argument.
enum RandomNumberBelow: WorldlyFunction {
  static let function = BuiltinFunction.randomBelow

  static func call(
    _ arguments: [ExpressionValue], in context: inout EvaluationContext
  ) throws(EvaluationMistake) -> ExpressionValue {
    guard let limit = try bits(arguments[0], name) else { return .null }
    guard limit > 0 else {
      throw .wrongOperand(of: name, expected: "a number above 0", found: "0 or a negative number")
    }
    return .integer(Int64.random(in: 0..<limit, using: &context.generator))
  }
}

/// Another name for `random:`.
enum RandomNumberN: WorldlyFunction {
  static let function = BuiltinFunction.randomN

  static func call(
    _ arguments: [ExpressionValue], in context: inout EvaluationContext
  ) throws(EvaluationMistake) -> ExpressionValue {
    try RandomNumberBelow.call(arguments, in: &context)
  }
}
