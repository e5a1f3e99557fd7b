/// Returns the two strings to compare; nil if either value is nil, because no string comparison holds for nil.
func texts(
  _ left: ExpressionValue, _ right: ExpressionValue, of name: String
) throws(EvaluationMistake) -> (String, String)? {
  if left.isNull || right.isNull { return nil }
  guard case .string(let text) = left else {
    throw .wrongOperand(of: name, expected: "strings", found: left.kind)
  }
  guard case .string(let other) = right else {
    throw .wrongOperand(of: name, expected: "strings", found: right.kind)
  }
  return (text, other)
}
