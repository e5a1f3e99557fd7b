extension ExpressionCompiler {
  mutating func compile(
    _ comparison: MappingPredicate.Comparison, at range: SourceRange
  ) throws -> CompiledTest {
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
    // The most frequent operators have cases of their own, in which the compiler knows the type and specializes the
    // closures.
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
  ) throws -> CompiledTest {
    var (left, right) = (try compile(comparison.left), try compile(comparison.right))
    if comparison.options.isEmpty {
      if comparison.comparator == .in { right = hashed(right) }
      if comparison.comparator == .contains && comparison.quantifier == nil { left = hashed(left) }
    }
    return compile(comparison, left, right, type, at: range)
  }

  /// Turns a long constant list into a set, which needs no linear search.
  ///
  /// Without options, membership means `==` in lists and in sets. Equal numbers of different kinds have equal hashes,
  /// and order and repetition do not matter.
  private func hashed(_ list: CompiledPart) -> CompiledPart {
    guard case .array(let elements)? = list.constant?.value, elements.count > Self.searchedListLimit else {
      return list
    }
    return constant(.set(DistinctValues(elements)))
  }

  /// Up to this many elements, comparing each is faster than hashing.
  private static let searchedListLimit = 8

  private func compile<Operator: ComparisonOperator>(
    _ comparison: MappingPredicate.Comparison, _ left: CompiledPart, _ right: CompiledPart, _ type: Operator.Type,
    at range: SourceRange
  ) -> CompiledTest {
    let options = comparison.options
    if let quantifier = comparison.quantifier {
      let (leftCode, rightCode) = (left.code, right.code)
      return CompiledTest { context in
        let (values, second) = (try leftCode(&context), try rightCode(&context))
        let patterns = context.patterns
        return try quantifier.holds(for: values, at: range) { try Operator.holds($0, second, options, patterns) }
      }
    }
    let (first, second) = (left.operand(ofScalar: false), right.operand(ofScalar: false))
    return switch (left.slot, right.constant) {
    case (let slot?, let constant?): CompiledTest(code(slot, constant, type, options, at: range))
    case (let slot?, nil): CompiledTest(code(slot, second, type, options, at: range))
    case (nil, let constant?): CompiledTest(code(first, constant, type, options, at: range))
    case (nil, nil): CompiledTest(code(first, second, type, options, at: range))
    }
  }

  /// Compiles a comparison that also has a fast path.
  private mutating func compile<Operator: ScalarComparison>(
    _ comparison: MappingPredicate.Comparison, _ type: Operator.Type, at range: SourceRange
  ) throws -> CompiledTest {
    let (left, right) = (try compile(comparison.left), try compile(comparison.right))
    guard left.scalar != nil, right.scalar != nil, comparison.quantifier == nil else {
      return compile(comparison, left, right, type, at: range)
    }
    let options = comparison.options
    let (first, second) = (left.operand(ofScalar: true), right.operand(ofScalar: true))
    return switch (left.slot, right.constant) {
    case (let slot?, let constant?): test(slot, constant, type, options, at: range)
    case (let slot?, nil): test(slot, second, type, options, at: range)
    case (nil, let constant?): test(first, constant, type, options, at: range)
    case (nil, nil): test(first, second, type, options, at: range)
    }
  }

  private func test<Operator: ScalarComparison>(
    _ left: some Operand, _ right: some Operand, _ type: Operator.Type, _ options: ComparisonOptions,
    at range: SourceRange
  ) -> CompiledTest {
    let plain = code(left, right, type, options, at: range)
    return CompiledTest(
      { context in
        let first = try left.scalar(in: &context)
        if case .other = first { return try plain(&context) }
        return try Operator.holds(first, try right.scalar(in: &context)) ?? plain(&context)
      }, plain: plain,
      scalar: { context in
        let first = try left.scalar(in: &context)
        if case .other = first { return nil }
        return Operator.holds(first, try right.scalar(in: &context))
      })
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

  /// Compiles a comparison whose pattern is constant and already compiled.
  private mutating func compile<Operator: ComparisonOperator>(
    _ comparison: MappingPredicate.Comparison, _ matches: @escaping @Sendable (String) throws -> Bool,
    _ type: Operator.Type, at range: SourceRange
  ) throws -> CompiledTest {
    let left = try compile(comparison.left).code
    let quantifier = comparison.quantifier
    return CompiledTest { context in
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
  /// For nil or an empty collection, ANY is false and ALL is true.
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
