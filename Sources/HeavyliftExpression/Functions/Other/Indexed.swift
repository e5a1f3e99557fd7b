/// The first argument: that it is to be looked up by an index is a hint for a store.
enum Indexed: BinaryFunction {
  static let function = BuiltinFunction.indexed

  static func call(
    _ left: ExpressionValue, _ right: ExpressionValue
  ) throws(EvaluationMistake) -> ExpressionValue {
    left
  }
}
