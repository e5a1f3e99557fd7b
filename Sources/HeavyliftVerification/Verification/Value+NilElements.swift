import HeavyliftModel

extension Value {
  /// A composite without the elements that are nil: a store has a column for each element, even if the value does not
  /// mention it.
  var withoutNilElements: Value {
    guard case .composite(let elements) = self else { return self }
    let known = elements.mapValues(\.withoutNilElements).filter { !$0.value.isNull }
    return known.isEmpty ? .null : .composite(known)
  }
}
