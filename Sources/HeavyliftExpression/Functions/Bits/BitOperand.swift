/// Two whole numbers for an operation on bits; nil where an operand is nil. A fraction is cut off, as `integerValue` does.
func bits(
  _ left: ExpressionValue, _ right: ExpressionValue, _ name: String
) throws(EvaluationMistake) -> (Int64, Int64)? {
  guard let left = try bits(left, name), let right = try bits(right, name) else { return nil }
  return (left, right)
}

/// A whole number for an operation on bits; nil where the operand is nil.
func bits(_ operand: ExpressionValue, _ name: String) throws(EvaluationMistake) -> Int64? {
  if operand.isNull { return nil }
  guard let number = Number(operand) else {
    throw .wrongOperand(of: name, expected: "whole numbers", found: operand.kind)
  }
  guard let whole = number.truncated else { throw .overflow(name) }
  return whole
}
