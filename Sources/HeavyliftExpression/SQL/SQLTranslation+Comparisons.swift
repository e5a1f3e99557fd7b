extension SQLTranslation {
  mutating func translate(
    _ comparison: MappingPredicate.Comparison, at range: SourceRange
  ) throws(NotTranslated) -> SQLTest {
    try check(comparison, at: range)
    if let quantifier = comparison.quantifier { return try translate(comparison, quantifier, at: range) }
    // `collection CONTAINS x` is `x IN collection`.
    if comparison.comparator == .contains, let collection = collection(comparison.left) {
      return try membership(of: comparison.right, in: collection, comparison.options, at: range)
    }
    if comparison.comparator == .in, let collection = collection(comparison.right) {
      return try membership(of: comparison.left, in: collection, comparison.options, at: range)
    }
    if comparison.comparator == .in || comparison.comparator == .between, let list = list(comparison.right) {
      let left = try translate(comparison.left, in: .marked)
      return try compare(left, with: list, comparison, at: range)
    }
    if comparison.comparator == .contains, let list = list(comparison.left) {
      var turned = comparison
      turned.comparator = .in
      // The evaluator evaluates the left side first, so it may report a different mistake than the swapped comparison.
      let wanted = try translate(comparison.right, in: .marked)
      let test = try compare(wanted, with: list, turned, at: range)
      if test.mayFail {
        throw NotTranslated("if several errors occur, SQL may report a different one first", at: range)
      }
      return test
    }
    let (left, right) = (try translate(comparison.left, in: .marked), try translate(comparison.right, in: .marked))
    if let stored = try translateStored(comparison, left, right, at: range) { return stored }
    return try compare(left, comparison, right, at: range)
  }

  /// Translates comparisons that treat NaN and nil alike: `<`, `>`, and any comparison with a constant. They can use
  /// SQLite's own arithmetic, which turns NaN into NULL.
  private mutating func translateStored(
    _ comparison: MappingPredicate.Comparison, _ left: SQLTerm, _ right: SQLTerm, at range: SourceRange
  ) throws(NotTranslated) -> SQLTest? {
    guard left.mayBeNaN || right.mayBeNaN, SQLTranslation.areOrderedPlainly(left.kind, right.kind) else { return nil }
    let isStrict = comparison.comparator == .less || comparison.comparator == .greater
    let isOrdering = isStrict || [.lessOrEqual, .greaterOrEqual, .equal, .notEqual].contains(comparison.comparator)
    let hasValue =
      left.isConstantValue && !left.mayBeNaN || right.isConstantValue && !right.mayBeNaN
    guard isOrdering, isStrict || hasValue else { return nil }
    var (first, second) = (
      try translate(comparison.left, in: .stored), try translate(comparison.right, in: .stored)
    )
    (first.mayBeNaN, second.mayBeNaN) = (false, false)
    return try compare(first, comparison, second, at: range)
  }

  /// Refuses an invalid pattern, which the evaluator reports before it reads any row.
  private func check(_ comparison: MappingPredicate.Comparison, at range: SourceRange) throws(NotTranslated) {
    guard comparison.comparator == .matches, case .constant(.value(.string(let text))) = comparison.right.kind else {
      return
    }
    if (try? RegularPattern(text, options: comparison.options)) == nil {
      throw NotTranslated("the right side of 'MATCHES' is not a regular expression", at: range)
    }
  }

  mutating func compare(
    _ left: SQLTerm, _ comparison: MappingPredicate.Comparison, _ right: SQLTerm, at range: SourceRange
  ) throws(NotTranslated) -> SQLTest {
    let (comparator, options) = (comparison.comparator, comparison.options)
    if comparator == .equal || comparator == .notEqual { return equality(left, comparator, right, options, at: range) }
    if left.kind.isObject || right.kind.isObject {
      throw NotTranslated("objects are compared only by '==' and '!='", at: range)
    }
    if let plain = ordering(left, comparator, right) { return plain }
    let text = call(
      .comparison(comparator, options, [left.kind, right.kind]), [left.text, right.text], at: range)
    return SQLTest(
      text: text,
      mayFail: left.mayFail || right.mayFail || comparator.mayFail(on: left.kind, right.kind))
  }

  private mutating func equality(
    _ left: SQLTerm, _ comparator: PredicateOperator, _ right: SQLTerm, _ options: ComparisonOptions,
    at range: SourceRange
  ) -> SQLTest {
    let mayFail = left.mayFail || right.mayFail
    let not = comparator == .notEqual ? "NOT " : ""
    if right.constant?.isNull == true {
      return SQLTest(text: "\(left.comparable) IS \(raw: not)NULL", mayFail: mayFail)
    }
    if left.constant?.isNull == true {
      return SQLTest(text: "\(right.comparable) IS \(raw: not)NULL", mayFail: mayFail)
    }
    if isEqualityPlain(left, right, options) {
      return SQLTest(text: "\(left.comparable) IS \(raw: not)\(right.comparable)", mayFail: mayFail)
    }
    let bothText = left.kind == .string && right.kind == .string
    let eitherDecimal = (left.kind == .decimal || right.kind == .decimal) && left.kind.isNumber && right.kind.isNumber
    if bothText || eitherDecimal || left.kind == .date && right.kind == .date {
      let function = SQLFunction.comparison(comparator, options, [left.kind, right.kind])
      return SQLTest(text: call(function, [left.text, right.text], at: range), mayFail: mayFail)
    }
    // Values of unrelated kinds are equal only if both are nil.
    let neither: SQLText = "(\(left.comparable) IS NULL AND \(right.comparable) IS NULL)"
    guard mayFail else { return SQLTest(text: "\(raw: not)\(neither)") }
    return SQLTest(
      text: "\(raw: not)((\(left.comparable) IS NULL) + (\(right.comparable) IS NULL) = 2)", mayFail: true)
  }

  private func isEqualityPlain(_ left: SQLTerm, _ right: SQLTerm, _ options: ComparisonOptions) -> Bool {
    switch (left.kind, right.kind) {
    case (.string, .string): options.keepTextsLiteral
    // Unlike a NaN number, a NaN date is not even equal to itself.
    case (.date, .date): !(left.mayBeNaN && right.mayBeNaN)
    case (.uuid, .uuid), (.uri, .uri), (.data, .data): true
    case (.object(let first), .object(let second)): areInOneTable(first, second)
    default: left.kind.isPlainNumber && right.kind.isPlainNumber
    }
  }

  func areInOneTable(_ first: String, _ second: String) -> Bool {
    guard let table = translator.schema.entity(named: first)?.table else { return false }
    return table == translator.schema.entity(named: second)?.table
  }

  /// Returns true if SQLite orders values of the two kinds as the evaluator does.
  static func areOrderedPlainly(_ left: SQLKind, _ right: SQLKind) -> Bool {
    switch (left, right) {
    case (.date, .date), (.uuid, .uuid): true
    default: left.isPlainNumber && right.isPlainNumber
    }
  }

  private func ordering(_ left: SQLTerm, _ comparator: PredicateOperator, _ right: SQLTerm) -> SQLTest? {
    guard SQLTranslation.areOrderedPlainly(left.kind, right.kind), !left.mayBeNaN, !right.mayBeNaN else { return nil }
    let (first, second, mayFail) = (left.comparable, right.comparable, left.mayFail || right.mayFail)
    let plain: SQLText = "\(first) \(raw: comparator.rawValue) \(second)"
    switch comparator {
    case .less, .greater: return SQLTest(text: plain, mayBeNull: true, mayFail: mayFail)
    case .lessOrEqual, .greaterOrEqual:
      if left.isConstantValue || right.isConstantValue {
        return SQLTest(text: plain, mayBeNull: true, mayFail: mayFail)
      }
      // Because two nils are equal, the test uses both sides twice; only columns and parameters may be repeated.
      guard left.isLeaf, right.isLeaf else { return nil }
      return SQLTest(text: "COALESCE(\(plain), \(first) IS NULL AND \(second) IS NULL)")
    default: return nil
    }
  }
}

extension PredicateOperator {
  /// Returns true if the operator can fail with a value of one kind on each side.
  func mayFail(on left: SQLKind, _ right: SQLKind) -> Bool {
    // The right side would have to be a list.
    if self == .between { return left != .null && right != .null }
    return mayFail(between: left, right)
  }

  /// Returns true if comparing values of the two kinds can fail: those of the two sides, or for lists, that of the left side
  /// and of an element.
  func mayFail(between left: SQLKind, _ right: SQLKind) -> Bool {
    if left == .null || right == .null { return false }
    switch self {
    case .equal, .notEqual: return false
    case .matches: return true
    case .beginsWith, .endsWith, .like, .in, .contains: return left != .string || right != .string
    case .less, .lessOrEqual, .greater, .greaterOrEqual, .between:
      let areComparable =
        left.isNumber && right.isNumber || left == right && [.string, .date, .uuid].contains(left)
      return !areComparable
    }
  }
}
