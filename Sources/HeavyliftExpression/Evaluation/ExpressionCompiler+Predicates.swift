extension ExpressionCompiler {
  mutating func compile(_ predicate: MappingPredicate) throws -> CompiledTest {
    try descend(at: predicate.range) { try $0.compileNode(predicate) }
  }

  private mutating func compileNode(_ predicate: MappingPredicate) throws -> CompiledTest {
    switch predicate.kind {
    case .literal(let value): return CompiledTest({ _ in value }, plain: { _ in value }, scalar: { _ in value })
    case .not(let negated):
      let test = try compile(negated)
      let (code, plain) = (test.code, test.plain)
      var scalar: ScalarTestCode?
      if let negated = test.scalar { scalar = { try negated(&$0).map { !$0 } } }
      return CompiledTest({ try !code(&$0) }, plain: { try !plain(&$0) }, scalar: scalar)
    case .and(let parts): return try compile(parts, until: false)
    case .or(let parts): return try compile(parts, until: true)
    case .comparison(let comparison):
      let place = comparison.operatorRange
      return try compile(comparison, at: place == SourceRange() ? predicate.range : place)
    case .custom(let comparison):
      throw ExpressionEvaluationError(.customOperator(comparison.name), at: predicate.range)
    }
  }

  /// Compiles parts that are evaluated in order until one decides the result.
  private mutating func compile(_ parts: [MappingPredicate], until deciding: Bool) throws -> CompiledTest {
    let tests = try parts.map { try compile($0) }
    func code(_ codes: [PredicateCode]) -> PredicateCode {
      { context in
        for code in codes where try code(&context) == deciding { return deciding }
        return !deciding
      }
    }
    let scalars = tests.compactMap(\.scalar)
    let scalar: ScalarTestCode = { context in
      for scalar in scalars {
        guard let holds = try scalar(&context) else { return nil }
        if holds == deciding { return deciding }
      }
      return !deciding
    }
    return CompiledTest(
      code(tests.map(\.code)), plain: code(tests.map(\.plain)),
      scalar: scalars.count == tests.count ? scalar : nil)
  }
}
