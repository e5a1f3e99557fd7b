/// A column of Core Data's own that no expression can see.
enum InverseOrderKey: UnaryFunction {
  static let function = BuiltinFunction.inverseOrderKey

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    throw .unavailableFunction(name)
  }
}
