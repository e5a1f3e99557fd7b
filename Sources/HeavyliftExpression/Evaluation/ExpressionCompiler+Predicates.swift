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
    let options = comparison.options
    if case .constant(.value(.string(let pattern))) = comparison.right.kind {
      switch comparison.comparator {
      case .like:
        let like = LikePattern(pattern, options: options)
        return try compile(comparison, { like.matches($0) }, Like.self, at: range)
      case .matches:
        let regular = try located(at: range) { try RegularPattern(pattern, options: options) }
        return try compile(comparison, { try regular.matches($0) }, Matches.self, at: range)
      default: break
      }
    }
    switch comparison.comparator {
    // By name what stands in most predicates: with the type known, the compiler makes closures for it alone.
    case .equal: return try compile(comparison, Equality.self, at: range)
    case .notEqual: return try compile(comparison, Inequality.self, at: range)
    case .less: return try compile(comparison, LessThan.self, at: range)
    case .lessOrEqual: return try compile(comparison, LessThanOrEqual.self, at: range)
    case .greater: return try compile(comparison, GreaterThan.self, at: range)
    case .greaterOrEqual: return try compile(comparison, GreaterThanOrEqual.self, at: range)
    default: return try compile(comparison, comparison.comparator.implementation, at: range)
    }
  }

  private mutating func compile<Operator: ComparisonOperator>(
    _ comparison: MappingPredicate.Comparison, _ type: Operator.Type, at range: SourceRange
  ) throws -> PredicateCode {
    let options = comparison.options
    let (left, right) = (try compile(comparison.left), try compile(comparison.right))
    let (leftCode, rightCode) = (left.code, right.code)
    if let quantifier = comparison.quantifier {
      return { context in
        let (values, second) = (try leftCode(&context), try rightCode(&context))
        let patterns = context.patterns
        return try quantifier.holds(for: values, at: range) { try Operator.holds($0, second, options, patterns) }
      }
    }
    let (first, second) = (CodeOperand(code: leftCode), CodeOperand(code: rightCode))
    return switch (left.slot, right.constant) {
    case (let slot?, let constant?): code(slot, constant, type, options, at: range)
    case (let slot?, nil): code(slot, second, type, options, at: range)
    case (nil, let constant?): code(first, constant, type, options, at: range)
    case (nil, nil): code(first, second, type, options, at: range)
    }
  }

  private func code<Operator: ComparisonOperator>(
    _ left: some Operand, _ right: some Operand, _ type: Operator.Type, _ options: ComparisonOptions,
    at range: SourceRange
  ) -> PredicateCode {
    { context in
      let (first, second) = (try left.value(in: &context), try right.value(in: &context))
      do {
        return try Operator.holds(first, second, options, context.patterns)
      } catch { throw located(error, at: range) }
    }
  }

  /// Compiles a comparison with a pattern that was read already.
  private mutating func compile<Operator: ComparisonOperator>(
    _ comparison: MappingPredicate.Comparison, _ matches: @escaping @Sendable (String) throws -> Bool,
    _ type: Operator.Type, at range: SourceRange
  ) throws -> PredicateCode {
    let left = try compile(comparison.left).code
    let quantifier = comparison.quantifier
    return { context in
      let value = try left(&context)
      func test(_ value: ExpressionValue) throws -> Bool {
        guard let text = try text(value, of: Operator.name) else { return false }
        return try matches(text)
      }
      if let quantifier { return try quantifier.holds(for: value, at: range, test) }
      do { return try test(value) } catch { throw located(error, at: range) }
    }
  }
}

extension Quantifier {
  /// ANY of nothing does not hold, ALL of nothing does.
  fileprivate func holds(
    for values: ExpressionValue, at range: SourceRange, _ test: (ExpressionValue) throws -> Bool
  ) throws -> Bool {
    if values.isNull { return self == .all }
    guard let elements = values.elements else {
      throw ExpressionEvaluationError(.notQuantifiable(rawValue, found: values.kind), at: range)
    }
    do {
      for element in elements where try test(element) == (self == .any) { return self == .any }
    } catch { throw located(error, at: range) }
    return self == .all
  }
}

private func text(_ value: ExpressionValue, of name: String) throws(EvaluationMistake) -> String? {
  switch value {
  case .null: return nil
  case .string(let text): return text
  default: throw .wrongOperand(of: name, expected: "strings", found: value.kind)
  }
}
