/// Calls a function on a string; nil stays nil.
func callText(
  _ operand: ExpressionValue, _ name: String, _ function: (String) -> ExpressionValue
) throws(EvaluationMistake) -> ExpressionValue {
  switch operand {
  case .null: return .null
  case .string(let text): return function(text)
  default: throw .wrongOperand(of: name, expected: "a string", found: operand.kind)
  }
}
