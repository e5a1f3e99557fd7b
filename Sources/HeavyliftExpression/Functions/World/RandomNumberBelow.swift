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
