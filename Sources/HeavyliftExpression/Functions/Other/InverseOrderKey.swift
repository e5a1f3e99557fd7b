/// An internal column of Core Data that no expression can access.
enum InverseOrderKey: UnaryFunction {
  static let function = BuiltinFunction.inverseOrderKey

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    throw .unavailableFunction(name)
  }
}
