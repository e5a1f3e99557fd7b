/// Returns two integers for a bitwise operation; nil if an operand is nil. Fractions are truncated, as by
/// `integerValue`.
func bits(
  _ left: ExpressionValue, _ right: ExpressionValue, _ name: String
) throws(EvaluationMistake) -> (Int64, Int64)? {
  guard let left = try bits(left, name), let right = try bits(right, name) else { return nil }
  return (left, right)
}

/// Returns an integer for a bitwise operation; nil if the operand is nil.
func bits(_ operand: ExpressionValue, _ name: String) throws(EvaluationMistake) -> Int64? {
  if operand.isNull { return nil }
  guard let number = Number(operand) else {
    throw .wrongOperand(of: name, expected: "whole numbers", found: operand.kind)
  }
  guard let whole = number.truncated else { throw .overflow(name) }
  return whole
}
