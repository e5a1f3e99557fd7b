/// Bitwise OR.
enum BitwiseOr: BinaryFunction {
  static let function = BuiltinFunction.bitwiseOr

  static func call(
    _ left: ExpressionValue, _ right: ExpressionValue
  ) throws(EvaluationMistake) -> ExpressionValue {
    guard let (left, right) = try bits(left, right, name) else { return .null }
    return .integer(left | right)
  }
}
