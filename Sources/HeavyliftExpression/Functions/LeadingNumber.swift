/// The number or Boolean at the start of a string, as read by `NSString.intValue` and the like; 0 if there is none.
enum LeadingNumber {
  static func integer(_ text: String) -> Int64 {
    let text = trimmed(text)
    let digits = text.dropFirst(sign(of: text)).prefix { $0.isASCII && $0.isNumber }
    let negative = text.first == "-"
    if digits.isEmpty { return 0 }
    return Int64((negative ? "-" : "") + digits) ?? (negative ? .min : .max)
  }

  static func double(_ text: String) -> Double {
    let text = trimmed(text)
    var end = text.index(text.startIndex, offsetBy: sign(of: text))
    func skipDigits() {
      while end < text.endIndex, text[end].isASCII, text[end].isNumber { end = text.index(after: end) }
    }
    skipDigits()
    if end < text.endIndex, text[end] == "." {
      end = text.index(after: end)
      skipDigits()
    }
    let mantissa = text[..<end]
    if end < text.endIndex, text[end] == "e" || text[end] == "E" {
      end = text.index(after: end)
      if end < text.endIndex, text[end] == "-" || text[end] == "+" { end = text.index(after: end) }
      skipDigits()
      if let number = Double(text[..<end]) { return number }
    }
    return Double(mantissa) ?? Double(mantissa.drop { $0 == "+" }.hasSuffix(".") ? "\(mantissa)0" : "0\(mantissa)") ?? 0
  }

  /// Reads a Boolean like `NSString.boolValue`: true for a nonzero number, or a word that starts with Y or T.
  static func truth(_ text: String) -> Bool {
    let text = trimmed(text)
    let rest = text.dropFirst(sign(of: text)).drop { $0 == "0" }
    return rest.first.map { "YyTt123456789".contains($0) } ?? false
  }

  private static func trimmed(_ text: String) -> Substring { text.drop { $0.isWhitespace } }

  private static func sign(of text: Substring) -> Int { text.first == "-" || text.first == "+" ? 1 : 0 }
}
