/// Shifts bits right. A negative distance shifts left; for a distance above 63, only the sign remains, as in SQLite.
enum RightShift: BinaryFunction {
  static let function = BuiltinFunction.rightShift

  static func call(
    _ left: ExpressionValue, _ right: ExpressionValue
  ) throws(EvaluationMistake) -> ExpressionValue {
    guard let (left, right) = try bits(left, right, name) else { return .null }
    return .integer(left >> right)
  }
}
