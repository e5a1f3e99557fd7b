/// The distance between two Core Location locations, which is not available here.
enum Distance: BinaryFunction {
  static let function = BuiltinFunction.distance

  static func call(
    _ left: ExpressionValue, _ right: ExpressionValue
  ) throws(EvaluationMistake) -> ExpressionValue {
    throw .unavailableFunction(name)
  }
}
