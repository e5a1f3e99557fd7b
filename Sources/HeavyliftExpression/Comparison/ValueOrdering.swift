import Foundation

/// Returns the order of two non-nil values. Values of unrelated kinds have no order.
///
/// - Parameter comparator: The name of the operator for messages.
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

/// Returns true if two values are equal. Options only affect strings.
func areEqual(_ left: ExpressionValue, _ right: ExpressionValue, options: ComparisonOptions) -> Bool {
  if case .string(let left) = left, case .string(let right) = right {
    return TextComparison(options).areEqual(left, right)
  }
  return left == right
}
