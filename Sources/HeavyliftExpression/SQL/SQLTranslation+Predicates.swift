extension SQLTranslation {
  mutating func translate(_ predicate: MappingPredicate) throws(NotTranslated) -> SQLTest {
    try step(at: predicate.range)
    switch predicate.kind {
    case .literal(let value): return value ? .yes : .no
    case .not(let negated):
      let test = try translate(negated)
      return SQLTest(text: "NOT \(test.decided.grouped)", mayFail: test.mayFail)
    case .and(let parts): return try combine(parts, predicate.range, empty: .yes, with: SQLTest.and)
    case .or(let parts): return try combine(parts, predicate.range, empty: .no, with: SQLTest.or)
    case .comparison(let comparison):
      let place = comparison.operatorRange
      return try translate(comparison, at: place == SourceRange() ? predicate.range : place)
    case .custom(let comparison):
      throw NotTranslated("operator '\(comparison.name)' is not built in", at: predicate.range)
    }
  }

  private mutating func combine(
    _ parts: [MappingPredicate], _ range: SourceRange, empty: SQLTest, with combine: ([SQLTest]) -> SQLTest
  ) throws(NotTranslated) -> SQLTest {
    if parts.count > SQLTranslator.widthLimit { throw NotTranslated("the predicate has too many parts", at: range) }
    var tests: [SQLTest] = []
    for part in parts { tests.append(try translate(part)) }
    return tests.isEmpty ? empty : tests.count == 1 ? tests[0] : combine(tests)
  }
}

extension SQLTest {
  /// SQLite may evaluate the parts in any order; if one can fail, `CASE` keeps their order.
  fileprivate static func and(_ tests: [SQLTest]) -> SQLTest {
    let (mayBeNull, mayFail) = (tests.contains(where: \.mayBeNull), tests.contains(where: \.mayFail))
    guard mayFail else {
      return SQLTest(text: tests.map(\.text.grouped).joined(by: " AND "), mayBeNull: mayBeNull)
    }
    let (harmless, rest) = tests.splitAtFirstFailing
    var text = rest[rest.count - 1].text
    for test in rest.dropLast().reversed() { text = "CASE WHEN \(test.text) THEN (\(text)) ELSE 0 END" }
    if !harmless.isEmpty {
      text = "CASE WHEN \(harmless.map(\.text.grouped).joined(by: " AND ")) THEN (\(text)) ELSE 0 END"
    }
    return SQLTest(text: text, mayBeNull: mayBeNull, mayFail: true)
  }

  fileprivate static func or(_ tests: [SQLTest]) -> SQLTest {
    let (mayBeNull, mayFail) = (tests.contains(where: \.mayBeNull), tests.contains(where: \.mayFail))
    guard mayFail else {
      return SQLTest(text: tests.map(\.text.grouped).joined(by: " OR "), mayBeNull: mayBeNull)
    }
    let (harmless, rest) = tests.splitAtFirstFailing
    var text = rest[rest.count - 1].text
    for test in rest.dropLast().reversed() { text = "CASE WHEN \(test.text) THEN 1 ELSE (\(text)) END" }
    if !harmless.isEmpty {
      text = "CASE WHEN \(harmless.map(\.text.grouped).joined(by: " OR ")) THEN 1 ELSE (\(text)) END"
    }
    return SQLTest(text: text, mayBeNull: mayBeNull, mayFail: true)
  }
}

extension [SQLTest] {
  fileprivate var splitAtFirstFailing: (harmless: ArraySlice<SQLTest>, rest: ArraySlice<SQLTest>) {
    let place = firstIndex(where: \.mayFail) ?? endIndex
    return (self[..<place], self[place...].reindexed)
  }
}

extension ArraySlice {
  fileprivate var reindexed: ArraySlice { Array(self)[...] }
}
