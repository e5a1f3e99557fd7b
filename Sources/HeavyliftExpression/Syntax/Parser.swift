import HeavyliftModel

/// A recursive-descent parser; operators between expressions are parsed by precedence.
struct Parser {
  /// Thrown after a mistake was recorded, and caught where parsing can continue.
  struct Failure: Error {}

  static let mistakeLimit = 20

  let text: String
  var scalars: [Unicode.Scalar] = []
  let limits: ExpressionLimits
  let acceptsOtherFunctions: Bool
  /// Nil for a text that takes no arguments.
  let arguments: [FormatArgument]?
  var argumentsUsed = 0
  var tokens: [Token] = []
  var position = 0
  /// The number of open brackets.
  var nesting = 0
  /// The number of prefix operators waiting for their operand; each needs far less stack than a bracket.
  var prefixes = 0
  var mistakes: [ExpressionMistake] = []
  var isUnterminated = false
  /// True if the innermost brackets contain a list.
  var isInList = false

  init(
    _ text: String, arguments: [FormatArgument]? = nil, limits: ExpressionLimits = ExpressionLimits(),
    acceptsOtherFunctions: Bool = true
  ) {
    self.text = text
    self.arguments = arguments
    self.limits = limits
    self.acceptsOtherFunctions = acceptsOtherFunctions
  }

  /// Parses the whole text as one predicate or expression.
  mutating func run() throws(ExpressionSyntaxError) -> SyntaxNode {
    // Counts only up to the limit, so that a text of gigabytes is refused without a full scan.
    let end = text.unicodeScalars.index(
      text.startIndex, offsetBy: limits.length, limitedBy: text.unicodeScalars.endIndex)
    if let end, end < text.unicodeScalars.endIndex {
      let mistake = ExpressionMistake(.tooLong(length: text.utf8.count, limit: limits.length), at: SourceRange())
      throw ExpressionSyntaxError(text: String(text.unicodeScalars.prefix(200)), mistakes: [mistake])
    }
    var lexer = Lexer(text)
    lexer.run()
    scalars = lexer.scalars
    (tokens, mistakes, isUnterminated) = (lexer.tokens, lexer.mistakes, lexer.isUnterminated)
    let node = readAll()
    try throwMistakes()
    return node
  }

  private mutating func readAll() -> SyntaxNode {
    if case .end = current.kind {
      note(.emptyText, at: current.range)
      return SyntaxNode(invalidAt: current.range)
    }
    let node = alternatives()
    if case .end = current.kind {
      checkArgumentsUsed()
    } else if mistakes.isEmpty {
      note(unexpected(after: node), at: current.range)
    }
    return node
  }

  func throwMistakes() throws(ExpressionSyntaxError) {
    guard !mistakes.isEmpty else { return }
    throw ExpressionSyntaxError(text: text, mistakes: mistakes)
  }

  // MARK: Tokens

  var current: Token { tokens[position] }
  var previous: Token? { position > 0 ? tokens[position - 1] : nil }

  func token(after distance: Int) -> Token { tokens[min(position + distance, tokens.count - 1)] }

  /// Returns the current token and advances, but never past the end token.
  @discardableResult
  mutating func take() -> Token {
    let token = tokens[position]
    if position < tokens.count - 1 { position += 1 }
    return token
  }

  mutating func take(_ symbol: Symbol) -> Token? {
    current.symbol == symbol ? take() : nil
  }

  // MARK: Mistakes

  /// Records a mistake, unless it is a consequence of one recorded by the lexer.
  mutating func note(_ kind: ExpressionMistake.Kind, at range: SourceRange) {
    guard mistakes.count < Self.mistakeLimit else {
      // There are enough mistakes: parsing the rest would waste time.
      position = tokens.count - 1
      return
    }
    if case .invalid = current.kind, range == current.range { return }
    if isUnterminated, case .end = current.kind { return }
    // If the preceding token was already reported, the missing operand after it is not another mistake.
    if case .expectedExpression = kind, let last = mistakes.last, last.range == previous?.range { return }
    mistakes.append(ExpressionMistake(kind, at: range))
  }

  mutating func failure(_ kind: ExpressionMistake.Kind, at range: SourceRange) -> Failure {
    note(kind, at: range)
    return Failure()
  }

  /// Skips to where parsing can continue: the next operand of AND or OR, or the closing bracket.
  mutating func recover() {
    var open: [Symbol] = []
    while true {
      switch current.kind {
      case .end: return
      case .symbol(let symbol) where symbol.closing != nil: open.append(symbol)
      case .symbol(let symbol) where symbol.isClosing:
        guard let last = open.last else { return }
        if last.closing == symbol { open.removeLast() }
      case .symbol(.comma), .symbol(.andAnd), .symbol(.orOr), .word(_, .and), .word(_, .or):
        if open.isEmpty { return }
      default: break
      }
      take()
    }
  }

  // MARK: Depth

  /// Counts an open bracket; the caller decrements `nesting` after the contents.
  mutating func enter() throws(Failure) {
    guard nesting < limits.nesting else { throw tooDeep(at: current.range) }
    nesting += 1
  }

  /// Parses the contents of brackets up to a comma or the closing bracket.
  mutating func bracketed() throws(Failure) -> SyntaxNode {
    try enter()
    defer { nesting -= 1 }
    return alternatives()
  }

  /// Runs a step that parses the operand of a prefix operator.
  mutating func prefixed<Result>(_ step: (inout Parser) throws(Failure) -> Result) throws(Failure) -> Result {
    guard prefixes < limits.nesting else { throw tooDeep(at: current.range) }
    prefixes += 1
    defer { prefixes -= 1 }
    return try step(&self)
  }

  /// Returns one more than the depth of the deepest part.
  mutating func depth(above parts: [SyntaxNode], at range: SourceRange) throws(Failure) -> Int {
    let depth = 1 + (parts.map(\.depth).max() ?? 0)
    guard depth <= limits.depth else { throw tooDeep(at: range) }
    return depth
  }

  /// Reports the depth and skips the rest of the text, which would only cause more mistakes.
  private mutating func tooDeep(at range: SourceRange) -> Failure {
    let failure = failure(.tooDeep(limit: limits.depth), at: range)
    position = tokens.count - 1
    isUnterminated = true
    return failure
  }
}
