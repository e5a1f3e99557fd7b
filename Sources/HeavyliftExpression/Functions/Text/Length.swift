/// The number of UTF-16 units in a string, like `NSString.length`.
enum Length: UnaryFunction {
  static let function = BuiltinFunction.length

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    try callText(operand, name) { .integer(Int64($0.utf16.count)) }
  }
}
