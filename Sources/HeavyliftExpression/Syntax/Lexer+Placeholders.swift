extension Lexer {
  /// Reads `%@`, `%K`, or a C conversion such as `%ld`: an optional length and a letter.
  mutating func placeholder() -> Token.Kind {
    let start = position
    position += 1
    if peek() == "@" || peek() == "K" {
      position += 1
      return .placeholder(text(from: start + 1))
    }
    while let scalar = peek(), "hlqLzjt".unicodeScalars.contains(scalar) { position += 1 }
    if let letter = peek(), "dDiuUxXoOcCfFeEgGaA".unicodeScalars.contains(letter) {
      position += 1
      if peek()?.isNamePart != true { return .placeholder(text(from: start + 1)) }
    }
    while let scalar = peek(), scalar.isNamePart || "%$@.".unicodeScalars.contains(scalar) { position += 1 }
    complain(.unknownPlaceholder(text(from: start)), from: start)
    return .invalid
  }
}
