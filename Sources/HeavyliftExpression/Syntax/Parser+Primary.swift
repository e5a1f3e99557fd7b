import HeavyliftModel

extension Parser {
  /// Parses a primary expression with the keys and brackets after it.
  mutating func postfix() throws(Failure) -> SyntaxNode {
    let node = try current.symbol == .openParenthesis ? group() : primary()
    return current.symbol == .dot || current.symbol == .openBracket ? try postfix(behind: node) : node
  }

  private mutating func postfix(behind first: SyntaxNode) throws(Failure) -> SyntaxNode {
    var node = first
    while true {
      if current.symbol == .dot {
        node = try keys(behind: node)
      } else if let open = take(.openBracket) {
        node = try element(of: node, open)
      } else {
        return node
      }
    }
  }

  private mutating func primary() throws(Failure) -> SyntaxNode {
    let token = current
    switch token.kind {
    case .integer(let magnitude):
      take()
      guard let value = Int64(exactly: magnitude) else {
        throw failure(.integerTooLarge(written(token.range)), at: token.range)
      }
      return constant(.integer(value), token)
    case .double(let value):
      take()
      return constant(.double(value), token)
    case .string(let value):
      take()
      return constant(.string(value), token)
    case .variable(let name):
      take()
      return SyntaxNode(MappingExpression(.variable(name), at: token.range))
    case .escapedKey, .atKey: return try keys(behind: nil)
    case .selector(let name): return try selectorCall(name)
    case .placeholder(let name): return try argument(name)
    case .word(let name, let keyword): return try word(name, keyword)
    case .symbol(.openBrace): return try aggregate()
    case .symbol(.bang): throw failure(.predicateAsExpression, at: token.range)
    case .symbol, .end: throw failure(.expectedExpression(found: shown(token)), at: token.range)
    case .invalid:
      take()
      return SyntaxNode(invalidAt: token.range)
    }
  }

  private mutating func constant(_ value: Value, _ token: Token) -> SyntaxNode {
    SyntaxNode(MappingExpression(.constant(.value(value)), at: token.range))
  }

  /// Parses a predicate or an expression in parentheses; only the contents show which one it is.
  private mutating func group() throws(Failure) -> SyntaxNode {
    let open = take()
    let before = mistakes.count
    let wasInList = isInList
    isInList = false
    defer { isInList = wasInList }
    try enter()
    let node = alternatives()
    nesting -= 1
    try close(open, knowing: before)
    // Includes the parentheses, so that the parent's range includes them, too.
    node.range = open.range.through(previous?.range ?? open.range)
    return node
  }

  private mutating func aggregate() throws(Failure) -> SyntaxNode {
    let open = take()
    let elements = try list(until: open)
    let range = open.range.through(previous?.range ?? open.range)
    let depth = try depth(above: elements, at: range)
    return SyntaxNode(MappingExpression(.aggregate(try expressions(elements)), at: range), depth: depth)
  }

  // MARK: Lists

  /// Parses comma-separated elements up to the closing bracket, which is consumed.
  mutating func list(until open: Token) throws(Failure) -> [SyntaxNode] {
    let before = mistakes.count
    guard let closing = open.symbol?.closing else { return [] }
    if take(closing) != nil { return [] }
    let wasInList = isInList
    isInList = true
    defer { isInList = wasInList }
    var nodes: [SyntaxNode] = []
    repeat {
      try enter()
      nodes.append(alternatives())
      nesting -= 1
    } while take(.comma) != nil
    try close(open, knowing: before)
    return nodes
  }

  mutating func expressions(_ nodes: [SyntaxNode]) throws(Failure) -> [MappingExpression] {
    var expressions: [MappingExpression] = []
    for node in nodes { expressions.append(try expression(node)) }
    return expressions
  }

  /// Consumes the bracket that closes `open`.
  ///
  /// After a mistake within the brackets, skips to the closing bracket; if that is missing, no further mistake is
  /// reported.
  mutating func close(_ open: Token, knowing before: Int? = nil) throws(Failure) {
    guard let closing = open.symbol?.closing, take(closing) == nil else { return }
    if let before, mistakes.count > before {
      while true {
        recover()
        if take(closing) != nil { return }
        if case .end = current.kind {
          if case .unclosed = mistakes.last?.kind { note(.unclosed(shown(open)), at: open.range) }
          throw Failure()
        }
        if current.symbol?.isClosing == true { throw Failure() }
        take()
      }
    }
    switch current.kind {
    case .end: throw failure(.unclosed(shown(open)), at: open.range)
    case .symbol(let symbol) where symbol.isClosing: throw failure(.unclosed(shown(open)), at: open.range)
    case .symbol(.comma) where open.symbol == .openParenthesis:
      throw failure(.listInParentheses, at: open.range.through(current.range))
    default: throw failure(unexpected(after: nil), at: current.range)
    }
  }
}
