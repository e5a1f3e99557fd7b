/// The way between two places of Core Location, of which there is none here.
enum Distance: BinaryFunction {
  static let function = BuiltinFunction.distance

  static func call(
    _ left: ExpressionValue, _ right: ExpressionValue
  ) throws(EvaluationMistake) -> ExpressionValue {
    throw .unavailableFunction(name)
  }
}
