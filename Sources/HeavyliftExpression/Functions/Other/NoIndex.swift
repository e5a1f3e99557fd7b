/// Returns the argument: `noindex:` only hints that a store should not use an index.
enum NoIndex: UnaryFunction {
  static let function = BuiltinFunction.noIndex

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue { operand }
}
