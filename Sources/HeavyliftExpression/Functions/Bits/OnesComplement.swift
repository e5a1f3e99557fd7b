/// Bitwise complement.
enum OnesComplement: UnaryFunction {
  static let function = BuiltinFunction.onesComplement

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    guard let bits = try bits(operand, name) else { return .null }
    return .integer(~bits)
  }
}
