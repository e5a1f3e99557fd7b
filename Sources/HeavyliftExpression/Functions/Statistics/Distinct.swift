/// The distinct elements of a collection, in the order of their first occurrence.
enum Distinct: UnaryFunction {
  static let function = BuiltinFunction.distinct

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    guard let elements = try collected(operand, name) else { return .null }
    return .array(DistinctValues(elements).elements)
  }
}
