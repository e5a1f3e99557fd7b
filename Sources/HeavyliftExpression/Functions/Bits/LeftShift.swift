/// The bits moved up. A negative distance moves them down, and beyond 63 none is left, as in SQLite.
enum LeftShift: BinaryFunction {
  static let function = BuiltinFunction.leftShift

  static func call(
    _ left: ExpressionValue, _ right: ExpressionValue
  ) throws(EvaluationMistake) -> ExpressionValue {
    guard let (left, right) = try bits(left, right, name) else { return .null }
    return .integer(left << right)
  }
}
