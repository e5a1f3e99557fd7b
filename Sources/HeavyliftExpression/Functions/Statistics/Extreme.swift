/// The least of some values by an order, or the greatest by the order reversed; nil where there is none.
///
/// Nil elements do not count, and neither does what is no number, as long as there is anything else.
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
