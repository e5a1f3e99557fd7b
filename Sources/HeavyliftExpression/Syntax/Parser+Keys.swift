import HeavyliftModel

extension Parser {
  /// Parses the keys after a base, each with a dot before it. Without a base, parses keys of `SELF`; the first has no
  /// dot.
  mutating func keys(behind base: SyntaxNode?) throws(Failure) -> SyntaxNode {
    var path = ExpressionKeyPath([])
    if base == nil { try key(into: &path) }
    while take(.dot) != nil { try key(into: &path) }
    let range = path.ranges.first ?? current.range
    let end = path.ranges.last ?? range
    guard let base else {
      let object = MappingExpression(.object, at: SourceRange(range.lowerBound, range.lowerBound))
      return SyntaxNode(MappingExpression(.keyPath(base: object, path), at: range.through(end)), depth: 2)
    }
    let depth = try depth(above: [base], at: range)
    let kind = MappingExpression.Kind.keyPath(base: try expression(base), path)
    return SyntaxNode(MappingExpression(kind, at: base.range.through(end)), depth: depth)
  }

  /// Parses `SELF.a`, which is the same as `a`.
  mutating func keysOfObject() throws(Failure) -> SyntaxNode {
    let object = SyntaxNode(MappingExpression(.object, at: take().range))
    return try keys(behind: object)
  }

  private mutating func key(into path: inout ExpressionKeyPath) throws(Failure) {
    let token = current
    switch token.kind {
    // A key with a hyphen would look like a subtraction.
    case .word(_, .conformsToUTI), .word(_, .equalsUTI):
      throw failure(.keyMissing(found: shown(token)), at: token.range)
    case .word(let name, let keyword):
      take()
      path.append(keyword == .self ? .element : .name(name), at: token.range)
    case .escapedKey(let name):
      take()
      path.append(name == "self" ? .element : .name(name), at: token.range)
    case .atKey(let name):
      take()
      path.append(CollectionOperator(rawValue: name).map { .collection($0) } ?? .name("@" + name), at: token.range)
    case .placeholder("K"):
      take()
      for key in try keyPathArgument(at: token.range).keys { path.append(key, at: token.range) }
    default: throw failure(.keyMissing(found: shown(token)), at: token.range)
    }
  }

  /// Parses the brackets after a collection: an index, a key, or `FIRST`, `LAST` or `SIZE`.
  mutating func element(of base: SyntaxNode, _ open: Token) throws(Failure) -> SyntaxNode {
    let collection = try expression(base)
    let before = mistakes.count
    var parts = [base]
    var index: ElementIndex?
    if let symbolic = symbolicIndex(before: .closeBracket) {
      index = symbolic
    } else {
      let wasInList = isInList
      isInList = false
      defer { isInList = wasInList }
      let node = try bracketed()
      parts.append(node)
    }
    try close(open, knowing: before)
    let end = previous?.range ?? open.range
    let depth = try depth(above: parts, at: open.range)
    if parts.count > 1 { index = .at(try expression(parts[1])) }
    guard let index else { throw Failure() }
    let kind = MappingExpression.Kind.element(of: collection, index)
    return SyntaxNode(
      MappingExpression(kind, at: base.range.through(end), name: open.range.through(end)), depth: depth)
  }

  /// Parses a lone `FIRST`, `LAST` or `SIZE`.
  mutating func symbolicIndex(before closing: Symbol) -> ElementIndex? {
    guard token(after: 1).symbol == closing else { return nil }
    let index: ElementIndex
    switch current.keyword {
    case .first: index = .first
    case .last: index = .last
    case .size: index = .size
    default: return nil
    }
    take()
    return index
  }
}

extension ExpressionKeyPath {
  fileprivate mutating func append(_ key: Key, at range: SourceRange) {
    keys.append(key)
    ranges.append(range)
  }
}
