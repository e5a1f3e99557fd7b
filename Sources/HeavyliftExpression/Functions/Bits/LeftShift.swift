/// Shifts bits left. A negative distance shifts right; for a distance above 63, the result is 0, as in SQLite.
enum LeftShift: BinaryFunction {
  static let function = BuiltinFunction.leftShift

  static func call(
    _ left: ExpressionValue, _ right: ExpressionValue
  ) throws(EvaluationMistake) -> ExpressionValue {
    guard let (left, right) = try bits(left, right, name) else { return .null }
    return .integer(left << right)
  }
}
