/// The argument: that it is not to be looked up by an index is a hint for a store.
enum NoIndex: UnaryFunction {
  static let function = BuiltinFunction.noIndex

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue { operand }
}
