/// Returns the elements for a statistical function; nil if the operand is nil.
func collected(
  _ operand: ExpressionValue, _ name: String
) throws(EvaluationMistake) -> [ExpressionValue]? {
  if operand.isNull { return nil }
  guard let elements = operand.elements else {
    throw .wrongOperand(of: name, expected: "a collection", found: operand.kind)
  }
  return elements
}

/// Returns the numbers among elements, skipping nil. Anything else is an error.
func numbers(in elements: [ExpressionValue], of name: String) throws(EvaluationMistake) -> [Number] {
  var numbers: [Number] = []
  for element in elements where !element.isNull {
    guard let number = Number(element) else {
      throw .wrongOperand(of: name, expected: "numbers", found: element.kind)
    }
    numbers.append(number)
  }
  return numbers
}
