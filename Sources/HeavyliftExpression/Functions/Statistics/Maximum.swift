/// The greatest non-nil element of a collection; an error if there is none.
enum Maximum: UnaryFunction {
  static let function = BuiltinFunction.max

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    guard let elements = try collected(operand, name) else { return .null }
    guard let greatest = try extreme(of: elements, wanted: .greater, name) else { throw .emptyCollection(name) }
    return greatest
  }
}
