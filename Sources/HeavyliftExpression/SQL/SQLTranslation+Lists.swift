/// Comparisons with several values: `IN {…}`, `BETWEEN {…}`, `ANY` and `ALL`.
extension SQLTranslation {
  private static let functionLimit = 100

  /// Returns the elements of a literal collection.
  func list(_ expression: MappingExpression) -> [MappingExpression]? {
    switch expression.kind {
    case .aggregate(let elements): return elements
    case .constant(.array(let elements)):
      return elements.map { MappingExpression(.constant($0), at: expression.range) }
    case .constant(.set(let elements)):
      // Sorted, so that the order is the same on every run.
      return elements.sorted { "\($0)" < "\($1)" }.map { MappingExpression(.constant($0), at: expression.range) }
    default: return nil
    }
  }

  mutating func compare(
    _ left: SQLTerm, with list: [MappingExpression], _ comparison: MappingPredicate.Comparison, at range: SourceRange
  ) throws(NotTranslated) -> SQLTest {
    var elements: [SQLTerm] = []
    for element in list { elements.append(try translate(element, in: .marked)) }
    let mayFail = left.mayFail || elements.contains(where: \.mayFail)
    if comparison.comparator == .between {
      if case .constant(.set) = comparison.right.kind {
        throw NotTranslated("the right side of 'BETWEEN' is a set", at: range)
      }
      guard elements.count == 2 else {
        throw NotTranslated("the right side of 'BETWEEN' does not have two values", at: range)
      }
      let terms = [left] + elements
      // SQLite does not compute the upper bound of a value below the lower one, so it would miss a failure.
      if elements.allSatisfy({ SQLTranslation.areOrderedPlainly(left.kind, $0.kind) }),
        !terms.contains(where: \.mayBeNaN), !elements[1].mayFail
      {
        return SQLTest(
          text: "\(left.comparable) BETWEEN \(elements[0].comparable) AND \(elements[1].comparable)", mayBeNull: true,
          mayFail: mayFail)
      }
    } else if !mayFail, let plain = plainMembership(left, elements, comparison.options) {
      return plain
    }
    let terms = [left] + elements
    if terms.contains(where: \.kind.isObject) { throw NotTranslated("objects are compared with a list", at: range) }
    if terms.count > SQLTranslation.functionLimit { throw NotTranslated("the list is too long", at: range) }
    let text = call(
      .comparisonWithList(comparison.comparator, comparison.options, terms.map(\.kind)), terms.map(\.text), at: range)
    let isMistaken =
      comparison.comparator == .between
      && elements.contains { PredicateOperator.between.mayFail(between: left.kind, $0.kind) }
    return SQLTest(text: text, mayFail: mayFail || isMistaken)
  }

  /// Returns `IN (…)` if all elements are constants that SQLite compares as the evaluator does. Omits elements that can
  /// never equal the left side.
  private func plainMembership(
    _ left: SQLTerm, _ elements: [SQLTerm], _ options: ComparisonOptions
  ) -> SQLTest? {
    guard elements.allSatisfy({ $0.constant != nil }), !left.mayBeNaN else { return nil }
    if left.kind == .string && !options.keepTextsLiteral { return nil }
    if left.kind == .decimal || elements.contains(where: { $0.kind == .decimal }) && left.kind.isNumber { return nil }
    let equal = elements.filter { element in
      guard element.isConstantValue, !element.mayBeNaN else { return false }
      switch (left.kind, element.kind) {
      case (.object(let first), .object(let second)): return areInOneTable(first, second)
      default: return left.kind == element.kind || left.kind.isPlainNumber && element.kind.isPlainNumber
      }
    }
    if equal.isEmpty { return .no }
    return SQLTest(
      text: "\(left.comparable) IN (\(equal.map(\.comparable).joined(by: ", ")))", mayBeNull: true)
  }

  /// Translates `x IN books.title`, which is true if an element equals `x`.
  mutating func membership(
    of expression: MappingExpression, in collection: SQLCollectionReference, _ options: ComparisonOptions,
    at range: SourceRange
  ) throws(NotTranslated) -> SQLTest {
    let wanted = try translate(expression, in: .marked)
    let equality = MappingPredicate.Comparison(expression, .equal, expression, options: options)
    let text = try exists(in: collection, at: range) { translation, element throws(NotTranslated) in
      let test = try translation.compare(element, equality, wanted, at: range)
      if test.mayFail {
        throw NotTranslated("if several errors occur, SQL may report a different one first", at: range)
      }
      return test.text
    }
    return SQLTest(text: text)
  }

  /// Translates `ANY` and `ALL` over the targets of a to-many relationship.
  mutating func translate(
    _ comparison: MappingPredicate.Comparison, _ quantifier: Quantifier, at range: SourceRange
  ) throws(NotTranslated) -> SQLTest {
    guard let collection = collection(comparison.left) else {
      throw NotTranslated("the left side of '\(quantifier.rawValue)' is not a to-many relationship", at: range)
    }
    let text = try exists(in: collection, at: range) { translation, element throws(NotTranslated) in
      let test: SQLTest
      if [.in, .between].contains(comparison.comparator), let list = translation.list(comparison.right) {
        test = try translation.compare(element, with: list, comparison, at: range)
      } else {
        let right = try translation.translate(comparison.right, in: .marked)
        test = try translation.compare(element, comparison, right, at: range)
      }
      // A sub-select may visit the elements in a different order than the evaluator.
      if test.mayFail {
        throw NotTranslated("if several errors occur, SQL may report a different one first", at: range)
      }
      return quantifier == .any ? test.text : "NOT \(test.decided.grouped)"
    }
    return SQLTest(text: quantifier == .any ? text : "NOT \(text)")
  }
}

extension ComparisonOptions {
  /// True if strings are equal only if their scalars are equal, as in SQLite's BINARY collation.
  var keepTextsLiteral: Bool { isEmpty || contains(.normalized) && !contains(.localeSensitive) }
}
