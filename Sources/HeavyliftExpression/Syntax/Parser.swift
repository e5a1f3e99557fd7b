import HeavyliftModel

/// Reads a text by recursive descent; operators between expressions by their precedence.
struct Parser {
  /// Thrown once a mistake is noted, to the nearest place from which reading can go on.
  struct Failure: Error {}

  static let mistakeLimit = 20

  let text: String
  let limits: ExpressionLimits
  let acceptsOtherFunctions: Bool
  /// Nil where the text is none that takes arguments.
  let arguments: [FormatArgument]?
  var argumentsUsed = 0
  var tokens: [Token] = []
  var position = 0
  var nesting = 0
  var mistakes: [ExpressionMistake] = []
  var isUnterminated = false
  /// Whether the innermost brackets hold a list.
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

  /// Reads the whole text as one predicate or expression.
  mutating func run() throws(ExpressionSyntaxError) -> SyntaxNode {
    // Counted no further than the limit: a text of gigabytes is refused without a walk through it.
    let end = text.unicodeScalars.index(
      text.startIndex, offsetBy: limits.length, limitedBy: text.unicodeScalars.endIndex)
    if let end, end < text.unicodeScalars.endIndex {
      let mistake = ExpressionMistake(.tooLong(length: text.utf8.count, limit: limits.length), at: SourceRange())
      throw ExpressionSyntaxError(text: String(text.unicodeScalars.prefix(200)), mistakes: [mistake])
    }
    var lexer = Lexer(text)
    lexer.run()
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

  /// The next token; the end is never passed.
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

  /// Notes a mistake, unless it follows from one that the lexer noted.
  mutating func note(_ kind: ExpressionMistake.Kind, at range: SourceRange) {
    guard mistakes.count < Self.mistakeLimit else { return }
    if case .invalid = current.kind, range == current.range { return }
    if isUnterminated, case .end = current.kind { return }
    // A word that was complained about and then taken for an operator has no operand to miss.
    if case .expectedExpression = kind, let last = mistakes.last, last.range == previous?.range { return }
    mistakes.append(ExpressionMistake(kind, at: range))
  }

  mutating func failure(_ kind: ExpressionMistake.Kind, at range: SourceRange) -> Failure {
    note(kind, at: range)
    return Failure()
  }

  /// Skips to where reading can go on: the next operand of AND or OR, or the end of what is in brackets.
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

  /// Runs a step that reads something within something.
  mutating func nested<Result>(_ step: (inout Parser) throws(Failure) -> Result) throws(Failure) -> Result {
    guard nesting < limits.nesting else { throw tooDeep(at: current.range) }
    nesting += 1
    defer { nesting -= 1 }
    return try step(&self)
  }

  /// One more than the deepest of the parts.
  mutating func depth(above parts: [SyntaxNode], at range: SourceRange) throws(Failure) -> Int {
    let depth = 1 + (parts.map(\.depth).max() ?? 0)
    guard depth <= limits.depth else { throw tooDeep(at: range) }
    return depth
  }

  /// Gives up altogether: whatever follows would be too deep again.
  private mutating func tooDeep(at range: SourceRange) -> Failure {
    let failure = failure(.tooDeep(limit: limits.depth), at: range)
    position = tokens.count - 1
    isUnterminated = true
    return failure
  }
}
