extension Lexer {
  /// Reads a string between two quotes of the same kind.
  mutating func string(quote: Unicode.Scalar) -> Token.Kind {
    let start = position
    var content = String.UnicodeScalarView()
    position += 1
    while let scalar = peek() {
      position += 1
      if scalar == quote { return .string(String(content)) }
      if scalar == "\\" {
        if let escaped = escape() { content.append(escaped) }
      } else {
        content.append(scalar)
      }
    }
    isUnterminated = true
    complain(.unterminatedString, from: start)
    return .string(String(content))
  }

  /// Returns the character for an escape; the backslash is already consumed.
  private mutating func escape() -> Unicode.Scalar? {
    let start = position - 1
    // After a trailing backslash, only the missing closing quote is reported.
    guard let letter = peek() else { return nil }
    position += 1
    switch letter {
    case "n": return "\n"
    case "t": return "\t"
    case "r": return "\r"
    case "b": return "\u{8}"
    case "f": return "\u{C}"
    case "a": return "\u{7}"
    case "v": return "\u{B}"
    case "x", "X": return code(digits: 1...2, radix: 16, from: start)
    case "u", "U": return wideEscape(from: start)
    case "0"..."7":
      position -= 1
      return code(digits: 1...3, radix: 8, from: start)
    default: return letter
    }
  }

  /// Reads `\uHHHH`; scalars beyond the first 65,536 need two such escapes, as in UTF-16.
  private mutating func wideEscape(from start: Int) -> Unicode.Scalar? {
    guard let unit = digits(4...4, radix: 16) else {
      complain(.malformedEscape(text(from: start)), from: start)
      return nil
    }
    if let scalar = Unicode.Scalar(unit) { return scalar }
    let behindFirst = position
    if unit < 0xDC00, peek() == "\\", peek(1) == "u" || peek(1) == "U" {
      position += 2
      if let second = digits(4...4, radix: 16), (0xDC00...0xDFFF).contains(second) {
        return Unicode.Scalar(0x10000 + ((unit - 0xD800) << 10) + (second - 0xDC00))
      }
      position = behindFirst
    }
    complain(.surrogateEscape(text(from: start)), from: start)
    return nil
  }

  private mutating func code(digits count: ClosedRange<Int>, radix: UInt32, from start: Int) -> Unicode.Scalar? {
    guard let value = digits(count, radix: radix), let scalar = Unicode.Scalar(value) else {
      complain(.malformedEscape(text(from: start)), from: start)
      return nil
    }
    return scalar
  }

  /// Returns the value of the next digits, up to the maximum count; nil if there are too few.
  private mutating func digits(_ count: ClosedRange<Int>, radix: UInt32) -> UInt32? {
    var value: UInt32 = 0
    var read = 0
    while read < count.upperBound, let digit = peek().flatMap({ Character($0).hexDigitValue }), digit < Int(radix) {
      value = value * radix + UInt32(digit)
      position += 1
      read += 1
    }
    return read >= count.lowerBound ? value : nil
  }
}
