import HeavyliftModel

extension Parser {
  /// Parses a word at the start of an expression: a constant, a call, or a key.
  mutating func word(_ name: String, _ keyword: Keyword?) throws(Failure) -> SyntaxNode {
    let token = current
    let isCall = self.token(after: 1).symbol == .openParenthesis
    switch keyword {
    case .null, .nil: return literal(.constant(.value(.null)))
    case .true, .yes: return literal(.constant(.value(.bool(true))))
    case .false, .no: return literal(.constant(.value(.bool(false))))
    case .self:
      guard self.token(after: 1).symbol != .dot else { return try keysOfObject() }
      return literal(.object)
    case .anykey: return literal(.anyKey)
    case .truepredicate: return literalPredicate(true)
    case .falsepredicate: return literalPredicate(false)
    case .function where isCall: return try functionCall()
    case .cast where isCall: return try cast()
    case .ternary where isCall: return try ternary()
    case .subquery where isCall: return try subquery()
    case .fetch where isCall: return try fetch()
    case .not, .any, .someOf, .all, .noneOf: throw failure(.predicateAsExpression, at: token.range)
    case let keyword? where keyword.isReservedAsKey:
      let next = self.token(after: 1)
      if keyword.isComparison || keyword == .and || keyword == .or, !isComparison(next), next.symbol != .dot {
        throw failure(.expectedExpression(found: shown(token)), at: token.range)
      }
      throw failure(.reservedWord(name), at: token.range)
    default: return isCall ? try namedCall(name) : try keys(behind: nil)
    }
  }

  private mutating func literal(_ kind: MappingExpression.Kind) -> SyntaxNode {
    SyntaxNode(MappingExpression(kind, at: take().range))
  }

  private mutating func literalPredicate(_ value: Bool) -> SyntaxNode {
    SyntaxNode(MappingPredicate(.literal(value), at: take().range), depth: 1)
  }
}
