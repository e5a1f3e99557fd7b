extension ExpressionInspector {
  /// `collection[index]`: the collection must be ordered, except for `SIZE`.
  mutating func inspectElement(
    of collection: MappingExpression, _ index: ElementIndex, at range: SourceRange
  ) -> ExpressionFacts {
    let facts = inspect(collection)
    let isNullable = facts.type.isNullable
    switch index {
    case .size:
      switch facts.kind {
      case .collection, .dictionary, .composite, .any, .null: break
      default: report(.operand(of: "[SIZE]", expected: "a collection", found: facts.kind), at: range)
      }
      return ExpressionFacts(.integer, isNullable: isNullable)
    case .first: return element(of: facts, "[FIRST]", at: range)
    case .last: return element(of: facts, "[LAST]", at: range)
    case .at(let index):
      let place = inspect(index)
      switch facts.kind {
      case .dictionary, .composite:
        guard place.kind == .string || place.kind.isOpen else {
          report(.operand(of: "[ ]", expected: "a string as the dictionary key", found: place.kind), at: index.range)
          return .unknown
        }
        if case .composite = facts.kind, case .string(let key)? = place.constant {
          return key.isEmpty ? .unknown : self.key(key, of: facts, at: index.range)
        }
        return .unknown
      default: break
      }
      let isChecked = facts.kind != .any
      if case .object = facts.kind {
        report(.operand(of: "[ ]", expected: "a collection", found: facts.kind), at: range)
        return .unknown
      }
      if isChecked, !(place.kind.isNumeric || place.kind == .any) {
        report(.operand(of: "[ ]", expected: "a whole number as the index", found: place.kind), at: index.range)
        return .unknown
      }
      if isChecked { check(index: place, of: facts, at: index.range) }
      return element(of: facts, "[ ]", at: range)
    }
  }

  private mutating func check(index: ExpressionFacts, of collection: ExpressionFacts, at range: SourceRange) {
    guard let number = index.constant.flatMap({ Number($0) }) else { return }
    guard let whole = number.truncated, Number.integer(whole) == number else {
      report(.operand(of: "[ ]", expected: "a whole number as the index", found: index.kind), at: range)
      return
    }
    let count = collection.constant?.elements?.count
    if whole < 0 || count.map({ whole >= $0 }) == true {
      report(.indexOutside(Int(clamping: whole), count: whole < 0 ? nil : count), at: range)
    }
  }

  private mutating func element(
    of facts: ExpressionFacts, _ index: String, at range: SourceRange
  ) -> ExpressionFacts {
    switch facts.kind {
    case .any, .null: return .unknown
    case .collection(.set, _):
      report(.unordered(index, found: facts.kind), at: range)
      return .unknown
    case .collection(_, let element): return ExpressionFacts(element, isNullable: true)
    default:
      report(.operand(of: index, expected: "a collection", found: facts.kind), at: range)
      return .unknown
    }
  }
}
