extension Parser {
  // Every level of brackets runs through all of these functions, so each handles only the common case; rare cases are
  // in separate functions, which use no stack unless they are called.

  /// Parses operands joined by OR; without an OR, returns the only operand, which may be an expression.
  mutating func alternatives() -> SyntaxNode {
    let first = conjunction()
    return isOr(current) ? chain(of: first, isOr, { $0.conjunction() }) { .or($0) } : first
  }

  private mutating func conjunction() -> SyntaxNode {
    let first = recoveringNegation()
    return isAnd(current) ? chain(of: first, isAnd, { $0.recoveringNegation() }) { .and($0) } : first
  }

  private func isOr(_ token: Token) -> Bool { token.symbol == .orOr || token.keyword == .or }
  private func isAnd(_ token: Token) -> Bool { token.symbol == .andAnd || token.keyword == .and }

  /// Parses a chain of AND or OR into one node with all the operands.
  private mutating func chain(
    of first: SyntaxNode, _ isOperator: (Token) -> Bool, _ operand: (inout Parser) -> SyntaxNode,
    _ kind: ([MappingPredicate]) -> MappingPredicate.Kind
  ) -> SyntaxNode {
    var nodes = [first]
    var predicates: [MappingPredicate] = []
    var isInvalid = false
    do { predicates.append(try predicate(first)) } catch { isInvalid = true }
    while isOperator(current) {
      take()
      let next = operand(&self)
      nodes.append(next)
      do { predicates.append(try predicate(next)) } catch { isInvalid = true }
    }
    let range = first.range.through(nodes[nodes.count - 1].range)
    guard !isInvalid, let depth = try? depth(above: nodes, at: range) else { return SyntaxNode(invalidAt: range) }
    return SyntaxNode(MappingPredicate(kind(predicates), at: range), depth: depth)
  }

  /// Parses an operand of AND; after a mistake, skips to where parsing can continue, to find further mistakes.
  private mutating func recoveringNegation() -> SyntaxNode {
    let start = current.range
    do {
      let node = try negation()
      return canFollowOperand(current) && !node.isInvalid ? node : invalid(node, from: start)
    } catch {
      return invalid(nil, from: start)
    }
  }

  private mutating func invalid(_ node: SyntaxNode?, from start: SourceRange) -> SyntaxNode {
    if let node, !node.isInvalid { note(unexpected(after: node), at: current.range) }
    recover()
    return SyntaxNode(invalidAt: start.through(previous?.range ?? start))
  }

  private func canFollowOperand(_ token: Token) -> Bool {
    switch token.kind {
    case .end, .symbol(.andAnd), .symbol(.orOr), .symbol(.comma), .word(_, .and), .word(_, .or): true
    // A surplus closing bracket is reported by the caller.
    case .symbol(let symbol): symbol.isClosing
    default: false
    }
  }

  private mutating func negation() throws(Failure) -> SyntaxNode {
    if current.keyword == .not || current.symbol == .bang { return try negated() }
    if current.keyword?.quantifier != nil { return try quantifiedComparison() }
    let left = try operand()
    return isComparison(current) ? try comparison(of: left, quantifier: nil) : left
  }

  private mutating func negated() throws(Failure) -> SyntaxNode {
    let sign = take()
    let operand = try prefixed { parser throws(Failure) in try parser.negation() }
    let negated = try predicate(operand)
    let range = sign.range.through(operand.range)
    let depth = try depth(above: [operand], at: sign.range)
    return SyntaxNode(MappingPredicate(.not(negated), at: range), depth: depth)
  }

  // MARK: Comparisons

  private mutating func quantifiedComparison() throws(Failure) -> SyntaxNode {
    let word = take()
    // A selector can be a function's name as well as an operator.
    let isSelector: Bool = if case .selector = current.kind { true } else { false }
    if isComparison(current), !isSelector { throw failure(.reservedWord(shown(word)), at: word.range) }
    if current.keyword?.quantifier != nil { throw failure(.repeatedQuantifier(shown(current)), at: current.range) }
    let left = try operand()
    if isComparison(current) { return try comparison(of: left, quantifier: word) }
    if left.isInvalid { throw Failure() }
    throw failure(.quantifierWithoutComparison(shown(word).uppercased()), at: word.range)
  }

  /// Parses a comparison whose left side is already parsed.
  private mutating func comparison(of left: SyntaxNode, quantifier word: Token?) throws(Failure) -> SyntaxNode {
    let sign = take()
    let options = try options()
    let operatorRange = sign.range.through(previous?.range ?? sign.range)
    if let keyword = current.keyword, keyword.quantifier != nil {
      throw failure(.quantifierOnRight(keyword.spelling), at: current.range)
    }
    let right = try operand()
    return try comparison(left, sign, options, right, quantifier: word, at: operatorRange)
  }

  private mutating func comparison(
    _ left: SyntaxNode, _ sign: Token, _ options: ComparisonOptions, _ right: SyntaxNode, quantifier word: Token?,
    at operatorRange: SourceRange
  ) throws(Failure) -> SyntaxNode {
    let (first, second) = (try expression(left), try expression(right))
    if isComparison(current) { throw failure(.chainedComparison(joinedBy: joint(in: second)), at: current.range) }
    if sign.keyword == .between, case .constant(.value(let value)) = second.kind, !value.isNull {
      throw failure(.rangeWithoutBraces, at: right.range)
    }
    let range = (word?.range ?? left.range).through(right.range)
    let quantifier = word?.keyword?.quantifier
    let kind: MappingPredicate.Kind
    if let comparator = sign.symbol?.comparator ?? sign.keyword?.comparator {
      kind = .comparison(
        MappingPredicate.Comparison(
          first, comparator, second, quantifier: quantifier, options: options, operatorAt: operatorRange))
    } else {
      kind = .custom(
        MappingPredicate.CustomComparison(first, operatorName(sign), second, quantifier: quantifier))
    }
    let predicate = MappingPredicate(kind, at: range)
    let depth = try depth(above: [left, right], at: operatorRange)
    guard word?.keyword == .noneOf else { return SyntaxNode(predicate, depth: depth) }
    return SyntaxNode(MappingPredicate(.not(predicate), at: range), depth: depth + 1)
  }

  func isComparison(_ token: Token) -> Bool {
    if case .selector = token.kind { return true }
    return token.symbol?.comparator != nil || token.keyword?.isComparison == true
  }

  private func operatorName(_ token: Token) -> String {
    if case .selector(let name) = token.kind { return name }
    return token.keyword?.spelling ?? shown(token)
  }

  /// `&` and `|` have a higher precedence than comparisons; between two comparisons, AND or OR was probably meant.
  private func joint(in expression: MappingExpression) -> String? {
    switch expression.kind {
    case .function(.bitwiseAnd, _): "AND"
    case .function(.bitwiseOr, _): "OR"
    default: nil
    }
  }

  /// Parses the letters in brackets after an operator.
  private mutating func options() throws(Failure) -> ComparisonOptions {
    guard let open = take(.openBracket) else { return [] }
    var options: ComparisonOptions = []
    guard case .word(let letters, _) = current.kind else { throw failure(.emptyOptions, at: current.range) }
    for letter in letters.lowercased() {
      switch letter {
      case "c": options.insert(.caseInsensitive)
      case "d": options.insert(.diacriticInsensitive)
      case "n": options.insert(.normalized)
      case "l": options.insert(.localeSensitive)
      default: throw failure(.unknownOption(String(letter)), at: current.range)
      }
    }
    take()
    guard current.symbol == .closeBracket else { throw failure(.unclosed("["), at: open.range) }
    take()
    return options
  }

  // MARK: Expected kinds of nodes

  /// Returns the node as a predicate.
  mutating func predicate(_ node: SyntaxNode) throws(Failure) -> MappingPredicate {
    switch node.content {
    case .predicate(let predicate): return predicate
    case .invalid: throw Failure()
    case .expression:
      if node.isPlaceholder { throw failure(.placeholderAsPredicate(written(node.range)), at: node.range) }
      let place = SourceRange(node.range.upperBound, node.range.upperBound)
      let found = current.range.lowerBound >= node.range.upperBound ? shown(current) : ""
      throw failure(.expectedComparison(found: found, expression: written(node.range)), at: place)
    }
  }

  /// Returns the node as an expression.
  mutating func expression(_ node: SyntaxNode) throws(Failure) -> MappingExpression {
    switch node.content {
    case .expression(let expression): return expression
    case .invalid: throw Failure()
    case .predicate: throw failure(.predicateAsExpression, at: node.range)
    }
  }
}
