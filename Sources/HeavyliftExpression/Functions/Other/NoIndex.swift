/// Returns the argument: not using an index is only a hint for a store.
enum NoIndex: UnaryFunction {
  static let function = BuiltinFunction.noIndex

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue { operand }
}
