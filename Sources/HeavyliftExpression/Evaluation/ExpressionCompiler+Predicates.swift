extension ExpressionCompiler {
  mutating func compile(_ predicate: MappingPredicate) throws -> PredicateCode {
    try descend(at: predicate.range) { try $0.compileNode(predicate) }
  }

  private mutating func compileNode(_ predicate: MappingPredicate) throws -> PredicateCode {
    switch predicate.kind {
    case .literal(let value): return { _ in value }
    case .not(let negated):
      let code = try compile(negated)
      return { try !code(&$0) }
    case .and(let parts):
      let codes = try parts.map { try compile($0) }
      return { context in
        for code in codes where try !code(&context) { return false }
        return true
      }
    case .or(let parts):
      let codes = try parts.map { try compile($0) }
      return { context in
        for code in codes where try code(&context) { return true }
        return false
      }
    case .comparison(let comparison):
      let place = comparison.operatorRange
      return try compile(comparison, at: place == SourceRange() ? predicate.range : place)
    case .custom(let comparison):
      throw ExpressionEvaluationError(.customOperator(comparison.name), at: predicate.range)
    }
  }

  private mutating func compile(
    _ comparison: MappingPredicate.Comparison, at range: SourceRange
  ) throws -> PredicateCode {
    let holds = try compileHolds(comparison, at: range)
    let (left, right) = (try compile(comparison.left).code, try compile(comparison.right).code)
    guard let quantifier = comparison.quantifier else {
      return { context in
        let (first, second) = (try left(&context), try right(&context))
        do { return try holds(first, second, context.patterns) } catch { throw located(error, at: range) }
      }
    }
    return { context in
      let (values, second) = (try left(&context), try right(&context))
      // ANY of nothing does not hold, ALL of nothing does.
      if values.isNull { return quantifier == .all }
      guard let elements = values.elements else {
        throw ExpressionEvaluationError(.notQuantifiable(quantifier.rawValue, found: values.kind), at: range)
      }
      do {
        for element in elements where try holds(element, second, context.patterns) == (quantifier == .any) {
          return quantifier == .any
        }
      } catch {
        throw located(error, at: range)
      }
      return quantifier == .all
    }
  }

  private typealias Holds = @Sendable (ExpressionValue, ExpressionValue, PatternCache) throws -> Bool

  /// The operator, with whatever can be made ready out of a constant right side.
  private mutating func compileHolds(
    _ comparison: MappingPredicate.Comparison, at range: SourceRange
  ) throws -> Holds {
    let options = comparison.options
    var pattern: String?
    if case .constant(.value(.string(let text))) = comparison.right.kind { pattern = text }
    switch (comparison.comparator, pattern) {
    case (.like, let pattern?):
      let like = LikePattern(pattern, options: options)
      return { left, _, _ in
        guard let (text, _) = try texts(left, .string(""), of: Like.name) else { return false }
        return like.matches(text)
      }
    case (.matches, let pattern?):
      let regular = try located(at: range) { try RegularPattern(pattern, options: options) }
      return { left, _, _ in
        guard let (text, _) = try texts(left, .string(""), of: Matches.name) else { return false }
        return try regular.matches(text)
      }
    case (.equal, _):
      return { left, right, _ in areEqual(left, right, options: options) }
    case (.notEqual, _):
      return { left, right, _ in !areEqual(left, right, options: options) }
    default:
      return generic(comparison.comparator.implementation, options)
    }
  }

  private func generic<Operator: ComparisonOperator>(_ type: Operator.Type, _ options: ComparisonOptions) -> Holds {
    { left, right, patterns in try Operator.holds(left, right, options, patterns) }
  }
}
