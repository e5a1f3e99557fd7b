/// The number without its sign.
enum AbsoluteValue: UnaryFunction {
  static let function = BuiltinFunction.absolute

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    try callReal(operand, name) { $0.magnitude }
  }
}

/// The number rounded up to a whole number.
enum Ceiling: UnaryFunction {
  static let function = BuiltinFunction.ceiling

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    try callReal(operand, name) { $0.rounded(.up) }
  }
}

/// The number rounded down to a whole number.
enum Floor: UnaryFunction {
  static let function = BuiltinFunction.floor

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    try callReal(operand, name) { $0.rounded(.down) }
  }
}

/// The number without its fraction.
enum Truncation: UnaryFunction {
  static let function = BuiltinFunction.truncate

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    try callReal(operand, name) { $0.rounded(.towardZero) }
  }
}
