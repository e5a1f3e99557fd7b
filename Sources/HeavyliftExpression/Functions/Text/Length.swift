/// How many UTF-16 units a text has, as `NSString` counts.
enum Length: UnaryFunction {
  static let function = BuiltinFunction.length

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    try callText(operand, name) { .integer(Int64($0.utf16.count)) }
  }
}
