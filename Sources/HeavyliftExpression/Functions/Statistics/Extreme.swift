/// Returns the least value by an order, or the greatest if the order is reversed; nil if there is none.
///
/// Ignores nil, and NaN unless there is nothing else.
func extreme(
  of elements: [ExpressionValue], wanted: ValueOrder, _ name: String
) throws(EvaluationMistake) -> ExpressionValue? {
  var best: ExpressionValue?
  for element in elements where !element.isNull {
    guard let current = best else {
      best = element
      continue
    }
    if Number(current)?.isNaN == true, Number(element) != nil {
      best = element
    } else if try order(element, current, options: [], for: name) == wanted {
      best = element
    }
  }
  return best
}
