/// Returns the elements of several collections, one collection after the other, skipping nil.
func flattened(
  _ values: [ExpressionValue], _ name: String
) throws(EvaluationMistake) -> [ExpressionValue] {
  var flat: [ExpressionValue] = []
  for value in values where !value.isNull {
    guard let elements = value.elements else {
      throw .wrongOperand(of: name, expected: "collections", found: value.kind)
    }
    flat += elements
  }
  return flat
}
