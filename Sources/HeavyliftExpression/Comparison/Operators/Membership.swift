/// `a IN b`: `a` is an element of a collection, a value in a dictionary, or a substring.
enum Membership: ComparisonOperator {
  static let comparator = PredicateOperator.in

  static func holds(
    _ left: ExpressionValue, _ right: ExpressionValue, _ options: ComparisonOptions, _ patterns: PatternCache
  ) throws(EvaluationMistake) -> Bool {
    if left.isNull || right.isNull { return false }
    switch right {
    case .string(let text):
      guard case .string(let part) = left else {
        throw .wrongOperand(of: name, expected: "a string to look for in a string", found: left.kind)
      }
      return TextComparison(options).contains(text, part)
    case .array(let elements): return contains(elements, left, options)
    case .set(let values), .orderedSet(let values):
      return options.isEmpty ? values.contains(left) : contains(values.elements, left, options)
    case .dictionary(let values): return contains(values.values, left, options)
    default: throw .wrongOperand(of: name, expected: "a collection or a string", found: right.kind)
    }
  }

  private static func contains(
    _ elements: some Sequence<ExpressionValue>, _ wanted: ExpressionValue, _ options: ComparisonOptions
  ) -> Bool {
    elements.contains { areEqual($0, wanted, options: options) }
  }
}
