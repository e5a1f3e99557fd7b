/// The bits moved down. A negative distance moves them up, and beyond 63 the sign is left, as in SQLite.
enum RightShift: BinaryFunction {
  static let function = BuiltinFunction.rightShift

  static func call(
    _ left: ExpressionValue, _ right: ExpressionValue
  ) throws(EvaluationMistake) -> ExpressionValue {
    guard let (left, right) = try bits(left, right, name) else { return .null }
    return .integer(left >> right)
  }
}
