/// Returns the first argument: `indexed:by:` only hints that a store should use an index.
enum Indexed: BinaryFunction {
  static let function = BuiltinFunction.indexed

  static func call(
    _ left: ExpressionValue, _ right: ExpressionValue
  ) throws(EvaluationMistake) -> ExpressionValue {
    left
  }
}
