/// Returns the first argument: using an index is only a hint for a store.
enum Indexed: BinaryFunction {
  static let function = BuiltinFunction.indexed

  static func call(
    _ left: ExpressionValue, _ right: ExpressionValue
  ) throws(EvaluationMistake) -> ExpressionValue {
    left
  }
}
