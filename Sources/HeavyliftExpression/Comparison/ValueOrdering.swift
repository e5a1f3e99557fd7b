import Foundation

/// How two values that are not nil stand to each other. Values of kinds that do not belong together have no order.
///
/// - Parameter comparator: what stands in messages.
func order(
  _ left: ExpressionValue, _ right: ExpressionValue, options: ComparisonOptions, for comparator: String
) throws(EvaluationMistake) -> ValueOrder {
  switch (left, right) {
  case (.integer(let left), .integer(let right)): return ValueOrder(left, right)
  case (.string(let left), .string(let right)): return TextComparison(options).order(left, right)
  case (.date(let left), .date(let right)):
    return ValueOrder(left.timeIntervalSinceReferenceDate, right.timeIntervalSinceReferenceDate)
  case (.uuid(let left), .uuid(let right)): return ValueOrder(left, right)
  default:
    if let left = Number(left), let right = Number(right) { return left.order(to: right) }
    throw .incomparable(comparator, left: left.kind, right: right.kind)
  }
}

/// Whether two values are equal. Options matter to texts alone.
func areEqual(_ left: ExpressionValue, _ right: ExpressionValue, options: ComparisonOptions) -> Bool {
  if case .string(let left) = left, case .string(let right) = right {
    return TextComparison(options).areEqual(left, right)
  }
  return left == right
}
