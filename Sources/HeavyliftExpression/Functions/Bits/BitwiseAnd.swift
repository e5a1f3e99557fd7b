/// Bitwise AND.
enum BitwiseAnd: BinaryFunction {
  static let function = BuiltinFunction.bitwiseAnd

  static func call(
    _ left: ExpressionValue, _ right: ExpressionValue
  ) throws(EvaluationMistake) -> ExpressionValue {
    guard let (left, right) = try bits(left, right, name) else { return .null }
    return .integer(left & right)
  }
}
