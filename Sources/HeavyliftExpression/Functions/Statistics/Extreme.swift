/// Returns the least value if `wanted` is `.less`, the greatest if it is `.greater`; nil if there is no value.
///
/// Ignores nil, and also NaN unless there is no other number.
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
