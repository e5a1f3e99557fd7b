/// The population standard deviation of a collection of numbers; an error if there are none.
enum StandardDeviation: UnaryFunction {
  static let function = BuiltinFunction.stddev

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    guard let elements = try collected(operand, name) else { return .null }
    let values = try numbers(in: elements, of: name).map(\.double)
    if values.isEmpty { throw .emptyCollection(name) }
    let mean = values.reduce(0, +) / Double(values.count)
    let squares = values.map { ($0 - mean) * ($0 - mean) }
    return .double((squares.reduce(0, +) / Double(values.count)).squareRoot())
  }
}
