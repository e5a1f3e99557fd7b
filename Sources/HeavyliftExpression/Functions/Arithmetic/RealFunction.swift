/// Calls a function on a real number: nil stays nil, and every number becomes a floating-point number.
func callReal(
  _ operand: ExpressionValue, _ name: String, _ function: (Double) -> Double
) throws(EvaluationMistake) -> ExpressionValue {
  if operand.isNull { return .null }
  guard let number = Number(operand) else {
    throw .wrongOperand(of: name, expected: "a number", found: operand.kind)
  }
  return .double(function(number.double))
}
