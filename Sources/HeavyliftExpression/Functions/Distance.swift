/// The distance between two locations, which is not available here because Core Location is not.
enum Distance: BinaryFunction {
  static let function = BuiltinFunction.distance

  static func call(
    _ left: ExpressionValue, _ right: ExpressionValue
  ) throws(EvaluationMistake) -> ExpressionValue {
    throw .unavailableFunction(name)
  }
}
