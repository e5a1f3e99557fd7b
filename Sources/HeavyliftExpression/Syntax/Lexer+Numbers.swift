extension Lexer {
  /// Reads a number without a sign: `12`, `12.5`, `.5`, `3.`, `1e3`, `0xFF`, `0o17`, `0b101`.
  mutating func number() -> Token.Kind {
    let start = position
    if peek() == "0", let radix = peek(1).flatMap(Self.radix) {
      position += 2
      return integer(from: start, radix: radix)
    }
    skipDigits()
    var isWhole = true
    if peek() == "." {
      isWhole = false
      position += 1
      skipDigits()
    }
    if isExponent {
      isWhole = false
      position += peek(1)?.isDigit == true ? 1 : 2
      skipDigits()
    }
    let digits = text(from: start)
    if complainAboutLetters(behind: digits, from: start) { return isWhole ? .integer(0) : .double(0) }
    if isWhole { return integer(digits, radix: 10, from: start) }
    guard let value = Double(Self.completed(digits)), value.isFinite else {
      complain(.numberTooLarge(digits), from: start)
      return .double(0)
    }
    return .double(value)
  }

  private static func radix(_ letter: Unicode.Scalar) -> Int? {
    switch letter {
    case "x", "X": 16
    case "o", "O": 8
    case "b", "B": 2
    default: nil
    }
  }

  /// Adds missing digits before and after the point, as Swift's parser requires.
  private static func completed(_ digits: String) -> String {
    guard let point = digits.firstIndex(of: ".") else { return digits }
    let whole = digits[..<point]
    let rest = digits[digits.index(after: point)...]
    return (whole.isEmpty ? "0" : String(whole)) + "." + (rest.first?.isNumber == true ? rest : "0" + rest)
  }

  private mutating func skipDigits() {
    while peek()?.isDigit == true { position += 1 }
  }

  /// True if an exponent follows, not just an `e`.
  private var isExponent: Bool {
    guard peek() == "e" || peek() == "E" else { return false }
    if peek(1)?.isDigit == true { return true }
    return (peek(1) == "-" || peek(1) == "+") && peek(2)?.isDigit == true
  }

  private mutating func integer(from start: Int, radix: Int) -> Token.Kind {
    let digitsStart = position
    while let scalar = peek(), Character(scalar).hexDigitValue.map({ $0 < radix }) == true { position += 1 }
    let digits = text(from: digitsStart)
    if complainAboutLetters(behind: text(from: start), from: start) { return .integer(0) }
    guard !digits.isEmpty else {
      complain(.digitsMissing(text(from: start)), from: start)
      return .integer(0)
    }
    return integer(digits, radix: radix, from: start)
  }

  private mutating func integer(_ digits: String, radix: Int, from start: Int) -> Token.Kind {
    guard let value = UInt64(digits, radix: radix), value <= UInt64(Int64.max) + 1 else {
      complain(.integerTooLarge(text(from: start)), from: start)
      return .integer(0)
    }
    return .integer(value)
  }

  /// Reports letters directly after a number: `5475f3` is usually a string without quotes.
  private mutating func complainAboutLetters(behind number: String, from start: Int) -> Bool {
    guard let scalar = peek(), scalar.isNamePart || scalar.isForeignLetter else { return false }
    let letters = position
    while let scalar = peek(), scalar.isNamePart || scalar.isForeignLetter { position += 1 }
    let name = text(from: letters)
    complain(.lettersAfterNumber(number: number, letters: name), from: start)
    // Continue as if there were a space.
    if Keyword(rawValue: name.lowercased()) != nil { position = letters }
    return true
  }
}
