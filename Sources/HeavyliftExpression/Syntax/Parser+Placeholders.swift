import HeavyliftModel

extension Parser {
  /// Returns the argument for a placeholder, as an expression with the placeholder's range.
  mutating func argument(_ name: String) throws(Failure) -> SyntaxNode {
    if name == "K" { return try keys(behind: nil) }
    let token = take()
    let argument = try nextArgument(token)
    let node: SyntaxNode
    if name == "@" {
      let expression = argument.expression.relocated(to: token.range)
      let depth = expression.depth
      guard depth <= limits.depth else { throw failure(.tooDeep(limit: limits.depth), at: token.range) }
      node = SyntaxNode(expression, depth: depth)
    } else {
      let value = try number(argument, for: name, token)
      node = SyntaxNode(MappingExpression(.constant(.value(value)), at: token.range))
    }
    node.isPlaceholder = true
    return node
  }

  /// Returns the argument for `%K`; the token is already consumed.
  mutating func keyPathArgument(at range: SourceRange) throws(Failure) -> ExpressionKeyPath {
    let argument = try nextArgument(Token(kind: .placeholder("K"), range: range))
    switch argument {
    case .keyPath(let path) where !path.keys.isEmpty: return path
    case .value(.string(let text)):
      guard let path = ExpressionKeyPath(parsing: text) else { throw failure(.invalidKeyPath, at: range) }
      return path
    case .keyPath: throw failure(.invalidKeyPath, at: range)
    default:
      throw failure(
        .wrongArgumentKind(placeholder: "%K", wanted: "a key path", found: argument.kindName), at: range)
    }
  }

  private mutating func nextArgument(_ token: Token) throws(Failure) -> FormatArgument {
    let written = written(token.range)
    guard let arguments else { throw failure(.placeholderWithoutArguments(written), at: token.range) }
    defer { argumentsUsed += 1 }
    guard argumentsUsed < arguments.count else {
      throw failure(.missingArgument(placeholder: written, given: arguments.count), at: token.range)
    }
    return arguments[argumentsUsed]
  }

  /// Returns a number for a C conversion.
  private mutating func number(_ argument: FormatArgument, for name: String, _ token: Token) throws(Failure) -> Value {
    let isWhole = name.last.map { "dDiuUxXoOcC".contains($0) } ?? true
    switch (argument, isWhole) {
    case (.value(.integer(let value)), true): return .integer(value)
    case (.value(.bool(let value)), true): return .integer(value ? 1 : 0)
    case (.value(.integer(let value)), false): return .double(Double(value))
    case (.value(.double(let value)), false): return .double(value)
    default:
      throw failure(
        .wrongArgumentKind(
          placeholder: "%\(name)", wanted: isWhole ? "an integer" : "a floating-point number",
          found: argument.kindName), at: token.range)
    }
  }

  /// Reports unused arguments.
  ///
  /// A placeholder within quotes is text and takes no argument, but arguments for it are accepted, because existing
  /// programs pass them.
  mutating func checkArgumentsUsed() {
    guard let arguments, argumentsUsed + quotedPlaceholders < arguments.count, mistakes.isEmpty else { return }
    note(
      .surplusArguments(used: argumentsUsed, given: arguments.count), at: SourceRange(0, current.range.upperBound))
  }

  private var quotedPlaceholders: Int {
    tokens.reduce(0) { count, token in
      guard case .string(let text) = token.kind else { return count }
      return count + text.unicodeScalars.count { $0 == "%" }
    }
  }
}
