extension ExpressionPrinter {
  mutating func write(_ predicate: MappingPredicate) {
    switch predicate.kind {
    case .literal(let value): text += value ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .comparison(let comparison):
      write(comparison.quantifier)
      write(comparison.left, in: .side)
      text += " \(comparison.comparator.rawValue)\(comparison.options.letters) "
      write(comparison.right, in: .side)
    case .custom(let comparison):
      if !comparison.name.isSelector, Keyword(word: comparison.name)?.isCustomComparison != true {
        obstacles.append(UnprintablePart(.comparison(comparison.name)))
      }
      write(comparison.quantifier)
      write(comparison.left, in: .side)
      text += " \(comparison.name) "
      write(comparison.right, in: .side)
    case .not(let negated):
      text += "NOT "
      writeOperand(negated)
    case .and(let predicates): write(predicates, joinedBy: " AND ", ifEmpty: "TRUEPREDICATE")
    case .or(let predicates): write(predicates, joinedBy: " OR ", ifEmpty: "FALSEPREDICATE")
    }
  }

  private mutating func write(_ quantifier: Quantifier?) {
    if let quantifier { text += "\(quantifier.rawValue) " }
  }

  private mutating func write(_ predicates: [MappingPredicate], joinedBy separator: String, ifEmpty: String) {
    if predicates.isEmpty { text += ifEmpty }
    if predicates.count == 1 { return write(predicates[0]) }
    for (index, predicate) in predicates.enumerated() {
      if index > 0 { text += separator }
      writeOperand(predicate)
    }
  }

  private mutating func writeOperand(_ predicate: MappingPredicate) {
    guard predicate.isChain else { return write(predicate) }
    text += "("
    write(predicate)
    text += ")"
  }
}

extension MappingPredicate {
  /// True if the predicate's text has an AND or OR outside of parentheses.
  fileprivate var isChain: Bool {
    switch kind {
    case .and(let predicates), .or(let predicates):
      predicates.count > 1 || predicates.first?.isChain == true
    default: false
    }
  }
}

extension ComparisonOptions {
  /// The options in brackets, as written after an operator; empty if there are none.
  var letters: String {
    guard !isEmpty else { return "" }
    let letters: [(ComparisonOptions, String)] = [
      (.caseInsensitive, "c"), (.diacriticInsensitive, "d"), (.normalized, "n"), (.localeSensitive, "l"),
    ]
    return "[" + letters.filter { contains($0.0) }.map(\.1).joined() + "]"
  }
}
