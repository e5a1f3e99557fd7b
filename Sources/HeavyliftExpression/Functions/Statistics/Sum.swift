/// The sum of a collection of numbers; of none it is 0.
enum Sum: UnaryFunction {
  static let function = BuiltinFunction.sum

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    guard let elements = try collected(operand, name) else { return .null }
    return try total(elements, of: name)
  }

  /// Also for `@sum`, which stands in messages under its own name.
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
