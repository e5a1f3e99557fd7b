import HeavyliftModel

@testable import HeavyliftExpression

extension LawSubject {
  /// Returns the smallest part or simplification for which a condition still holds.
  func shrunk(while holds: (LawSubject) -> Bool) -> LawSubject {
    var current = self
    var tries = 0
    search: while tries < 2_000 {
      for candidate in current.simplifications {
        tries += 1
        if holds(candidate) {
          current = candidate
          continue search
        }
      }
      break
    }
    return current
  }

  private var simplifications: [LawSubject] {
    var found = parts
    let count = parts.count
    for place in 0..<count {
      for simpler in parts[place].simplifications { if let copy = replacing(place, by: simpler) { found.append(copy) } }
    }
    return found
  }

  private var parts: [LawSubject] {
    var parts: [LawSubject] = []
    _ = mapped { part in
      parts.append(part)
      return part
    }
    return parts
  }

  private func replacing(_ place: Int, by other: LawSubject) -> LawSubject? {
    var (index, isFitting) = (0, true)
    let copy = mapped { part in
      defer { index += 1 }
      guard index == place else { return part }
      switch (part, other) {
      case (.expression, .expression), (.predicate, .predicate): return other
      default:
        isFitting = false
        return part
      }
    }
    return isFitting ? copy : nil
  }

  private func mapped(_ body: (LawSubject) -> LawSubject) -> LawSubject {
    func expression(_ part: MappingExpression) -> MappingExpression {
      if case .expression(let mapped) = body(.expression(part)) { mapped } else { part }
    }
    func predicate(_ part: MappingPredicate) -> MappingPredicate {
      if case .predicate(let mapped) = body(.predicate(part)) { mapped } else { part }
    }
    switch self {
    case .expression(let whole):
      return .expression(
        MappingExpression(
          whole.kind.mapExpressions(expression, predicates: predicate), at: whole.range, name: whole.nameRange))
    case .predicate(let whole):
      return .predicate(
        MappingPredicate(whole.kind.mapExpressions(expression, predicates: predicate), at: whole.range))
    }
  }
}
