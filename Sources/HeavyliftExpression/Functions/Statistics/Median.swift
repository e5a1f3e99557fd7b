/// The median of a collection: the middle number, or the mean of the two in the middle; an error if there are no
/// numbers.
enum Median: UnaryFunction {
  static let function = BuiltinFunction.median

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    guard let elements = try collected(operand, name) else { return .null }
    let numbers = try numbers(in: elements, of: name)
    if numbers.contains(where: \.isNaN) { return .double(.nan) }
    let sorted = numbers.sorted { $0.order(to: $1) == .less }
    if sorted.isEmpty { throw .emptyCollection(name) }
    let middle = sorted.count / 2
    if sorted.count % 2 == 1 { return sorted[middle].value }
    return try Average.mean([sorted[middle - 1].value, sorted[middle].value], of: name)
  }
}
