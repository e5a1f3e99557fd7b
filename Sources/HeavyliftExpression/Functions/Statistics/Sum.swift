/// The sum of a collection of numbers; 0 for an empty collection.
enum Sum: UnaryFunction {
  static let function = BuiltinFunction.sum

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    guard let elements = try collected(operand, name) else { return .null }
    return try total(elements, of: name)
  }

  /// Returns the sum. `@sum` passes its own name, for messages.
  static func total(_ elements: [ExpressionValue], of name: String) throws(EvaluationMistake) -> ExpressionValue {
    var sum = ExpressionValue.integer(0)
    for number in try numbers(in: elements, of: name) {
      do {
        sum = try Addition.call(sum, number.value)
      } catch .overflow {
        throw .overflow(name)
      }
    }
    return sum
  }
}
