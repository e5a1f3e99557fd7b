extension ExpressionInspector {
  /// `IN` and `CONTAINS`: a string within a string, or a value of a kind that the collection can contain.
  mutating func checkMembership(
    _ facts: ComparisonFacts, of part: MappingExpression, _ partFacts: ExpressionFacts,
    in whole: MappingExpression, _ wholeFacts: ExpressionFacts
  ) {
    if partFacts.kind == .null || wholeFacts.kind == .null {
      let place = partFacts.kind == .null ? part.range : whole.range
      report(.neverHolds(facts.name, .comparedWithNil), at: place)
      return
    }
    if wholeFacts.kind == .any { return }
    switch wholeFacts.kind {
    case .dictionary, .composite: break
    case .string:
      if partFacts.kind == .any { break }
      guard partFacts.kind == .string else {
        reportOperand(part, partFacts, of: facts.name, expected: "a string to look for in a string")
        break
      }
      if partFacts.constant == .string("") { report(.neverHolds(facts.name, .emptyText), at: part.range) }
    case .collection:
      if wholeFacts.constant?.elements?.isEmpty == true {
        report(.neverHolds(facts.name, .emptyCollection), at: whole.range)
        break
      }
      checkElements(facts, part, partFacts, whole, wholeFacts)
    default:
      report(.operand(of: facts.name, expected: "a collection or a string", found: wholeFacts.kind), at: whole.range)
    }
  }

  private mutating func checkElements(
    _ facts: ComparisonFacts, _ part: MappingExpression, _ partFacts: ExpressionFacts, _ whole: MappingExpression,
    _ collection: ExpressionFacts
  ) {
    guard partFacts.kind != .any, let element = collection.kind.element else { return }
    if partFacts.kind.isCollection, !element.isCollection, !element.isOpen, partFacts.toManyHops > 0 {
      let place: CheckingMistake.ToManyPlace = facts.comparison.comparator == .in ? .left : .right
      report(.toMany(part.shown, of: facts.name, place: place), at: part.range)
      return
    }
    if collection.toManyHops > 1, element.isCollection, !partFacts.kind.isCollection {
      report(.severalToManyHops(whole.shown, facts.name), at: whole.range)
      return
    }
    if case .aggregate(let elements) = whole.kind, let kinds = collection.elements?.map(\.kind) {
      for (element, kind) in zip(elements, kinds) {
        if canBeEqual(partFacts.kind, kind) { continue }
        reportIncomparable(facts, left: partFacts.kind, right: kind, at: element.range)
      }
    } else if !canBeEqual(partFacts.kind, element) {
      reportIncomparable(facts, left: partFacts.kind, right: collection.kind, at: facts.range)
    }
  }
}
