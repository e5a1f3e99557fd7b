/// The mean of a collection of numbers; 0 for an empty collection, as in KVC.
enum Average: UnaryFunction {
  static let function = BuiltinFunction.average

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    guard let elements = try collected(operand, name) else { return .null }
    return try mean(elements, of: name)
  }

  /// Returns the mean. `@avg` passes its own name, for messages.
  static func mean(_ elements: [ExpressionValue], of name: String) throws(EvaluationMistake) -> ExpressionValue {
    let counted = elements.filter { !$0.isNull }
    if counted.isEmpty { return .integer(0) }
    let sum = try Sum.total(counted, of: name)
    if case .decimal = sum { return try Division.call(sum, .integer(Int64(counted.count))) }
    return .double((Number(sum)?.double ?? .nan) / Double(counted.count))
  }
}
