/// The least non-nil element of a collection; an error if there is none.
enum Minimum: UnaryFunction {
  static let function = BuiltinFunction.min

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    guard let elements = try collected(operand, name) else { return .null }
    guard let least = try extreme(of: elements, wanted: .less, name) else { throw .emptyCollection(name) }
    return least
  }
}
