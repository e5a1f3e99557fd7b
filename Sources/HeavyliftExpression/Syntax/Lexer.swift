/// Splits a text into tokens.
///
/// Never fails: invalid text becomes a mistake and a token with which the parser can continue.
struct Lexer {
  let scalars: [Unicode.Scalar]
  var position = 0
  var tokens: [Token] = []
  var mistakes: [ExpressionMistake] = []
  /// True if the text ended within a string.
  var isUnterminated = false

  init(_ text: String) { scalars = Array(text.unicodeScalars) }

  /// Reads all tokens, followed by an end token.
  mutating func run() {
    while true {
      skipWhiteSpace()
      guard position < scalars.count else { break }
      let start = position
      let kind = next()
      tokens.append(Token(kind: kind, range: SourceRange(start, position)))
    }
    tokens.append(Token(kind: .end, range: SourceRange(scalars.count, scalars.count)))
  }

  func peek(_ distance: Int = 0) -> Unicode.Scalar? {
    position + distance < scalars.count ? scalars[position + distance] : nil
  }

  func text(from start: Int) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[start..<position])
    return String(text)
  }

  mutating func complain(_ kind: ExpressionMistake.Kind, from start: Int) {
    guard mistakes.count < Parser.mistakeLimit else { return }
    mistakes.append(ExpressionMistake(kind, at: SourceRange(start, position)))
  }

  private mutating func skipWhiteSpace() {
    while let scalar = peek(), scalar == " " || ("\t"..."\r").contains(scalar) { position += 1 }
  }

  private mutating func next() -> Token.Kind {
    let first = scalars[position]
    switch first {
    case "\"", "'": return string(quote: first)
    case "0"..."9": return number()
    case "." where peek(1)?.isDigit == true && !followsOperand: return number()
    case "$": return prefixed { .variable($0) }
    case "#": return prefixed { .escapedKey($0) }
    case "@": return prefixed { .atKey($0) }
    case "%": return placeholder()
    case _ where first.isNameStart: return word()
    case _ where first.isForeignLetter: return foreignName(from: position)
    case "\u{201C}", "\u{201D}", "\u{2018}", "\u{2019}": return curlyString()
    case "/" where peek(1) == "*" || peek(1) == "/": return comment()
    default: break
    }
    guard let symbol = Symbol(first, peek(1)) else {
      let start = position
      position += 1
      // `??` is one mistake. In a conditional, `?` is reported, and `:` is not another mistake.
      while first == "?", peek() == "?" { position += 1 }
      if first != ":" || !mistakes.contains(where: { $0.kind == .unknownCharacter("?") }) {
        complain(.unknownCharacter(first), from: start)
      }
      return .invalid
    }
    position += symbol.rawValue.utf8.count
    return .symbol(symbol)
  }

  /// Reports text that looks like a comment; the rest of the text is skipped.
  private mutating func comment() -> Token.Kind {
    let start = position
    position = scalars.count
    complain(.comment, from: start)
    return .end
  }

  /// True if a dot here would continue the preceding operand.
  private var followsOperand: Bool {
    guard position > 0, tokens.last?.range.upperBound == position else { return false }
    return switch tokens.last?.kind {
    case .symbol(let symbol): symbol.isClosing
    case .end, nil: false
    default: true
    }
  }

  // MARK: Names

  mutating func skipName() {
    while peek()?.isNamePart == true { position += 1 }
  }

  private mutating func prefixed(_ kind: (String) -> Token.Kind) -> Token.Kind {
    let start = position
    position += 1
    let nameStart = position
    if peek()?.isNameStart == true { skipName() }
    if peek()?.isForeignLetter == true { return foreignName(from: start) }
    guard position > nameStart else {
      complain(.nameMissing(after: text(from: start)), from: start)
      return .invalid
    }
    return kind(text(from: nameStart))
  }

  private mutating func word() -> Token.Kind {
    let start = position
    skipName()
    if peek()?.isForeignLetter == true { return foreignName(from: start) }
    if peek() == "-", position - start == 3, let longer = typeIdentifierOperator(from: start) { return longer }
    guard peek() == ":", peek(1) != "=" else {
      let name = text(from: start)
      return .word(name, Keyword(word: name))
    }
    position += 1
    selectorLabels()
    return .selector(text(from: start))
  }

  /// Continues after the first colon of a selector, as long as labels with colons follow directly.
  private mutating func selectorLabels() {
    while true {
      let start = position
      if peek()?.isNameStart == true { skipName() }
      guard peek() == ":", peek(1) != "=" else {
        position = start
        return
      }
      position += 1
    }
  }

  /// Reads `UTI-CONFORMS-TO` or `UTI-EQUALS`, the two keywords with hyphens.
  private mutating func typeIdentifierOperator(from start: Int) -> Token.Kind? {
    for keyword in [Keyword.conformsToUTI, .equalsUTI] {
      let end = start + keyword.rawValue.utf8.count
      guard end <= scalars.count, end == scalars.count || !scalars[end].isNamePart else { continue }
      let candidate = scalars[start..<end].reduce(into: "") { $0.unicodeScalars.append($1) }
      guard candidate.lowercased() == keyword.rawValue else { continue }
      position = end
      return .word(candidate, keyword)
    }
    return nil
  }

  /// Reads a name with non-ASCII letters; the whole name is one mistake.
  private mutating func foreignName(from start: Int) -> Token.Kind {
    while let scalar = peek(), scalar.isNamePart || scalar.isForeignLetter { position += 1 }
    let name = text(from: start)
    complain(.nonASCIIName(name), from: start)
    return .word(name, nil)
  }

  /// Reads a string between typographic quotes; the whole string is one mistake.
  private mutating func curlyString() -> Token.Kind {
    let start = position
    let isDouble = scalars[position] == "\u{201C}" || scalars[position] == "\u{201D}"
    position += 1
    let content = position
    while let scalar = peek() {
      position += 1
      if isDouble ? scalar == "\u{201D}" || scalar == "\"" : scalar == "\u{2019}" || scalar == "'" { break }
    }
    let string = text(from: min(content, position))
    complain(.curlyQuotes, from: start)
    return .string(string)
  }
}

extension Unicode.Scalar {
  var isDigit: Bool { ("0"..."9").contains(self) }
  var isNameStart: Bool { ("a"..."z").contains(self) || ("A"..."Z").contains(self) || self == "_" }
  var isNamePart: Bool { isNameStart || isDigit }

  /// True for a letter or a combining mark that other languages allow in names.
  var isForeignLetter: Bool {
    guard value > 0x7F else { return false }
    return switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
      .spacingMark, .decimalNumber, .letterNumber:
      true
    default: properties.isEmojiPresentation
    }
  }
}
