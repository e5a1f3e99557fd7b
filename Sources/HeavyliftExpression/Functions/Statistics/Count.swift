/// The number of elements in a collection, including nil.
enum Count: UnaryFunction {
  static let function = BuiltinFunction.count

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    if case .dictionary(let values) = operand { return .integer(Int64(values.count)) }
    guard let elements = try collected(operand, name) else { return .null }
    return .integer(Int64(elements.count))
  }
}
