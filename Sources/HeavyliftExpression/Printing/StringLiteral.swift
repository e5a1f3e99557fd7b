/// String literals in the language.
enum StringLiteral {
  /// Returns the text in double quotes.
  ///
  /// Escapes quotes, backslashes, characters that XML cannot contain, and line breaks and invisible characters that an
  /// editor may change; everything else is literal.
  static func text(_ content: String) -> String {
    var text = String.UnicodeScalarView()
    text.append("\"")
    for scalar in content.unicodeScalars {
      switch scalar {
      case "\"", "\\":
        text.append("\\")
        text.append(scalar)
      case "\n": text.append(contentsOf: "\\n".unicodeScalars)
      case "\r": text.append(contentsOf: "\\r".unicodeScalars)
      case "\t": text.append(contentsOf: "\\t".unicodeScalars)
      case _ where scalar.isWrittenAsCode:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        text.append(contentsOf: "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".unicodeScalars)
      default: text.append(scalar)
      }
    }
    text.append("\"")
    return String(text)
  }
}

extension Unicode.Scalar {
  fileprivate var isWrittenAsCode: Bool {
    switch value {
    case 0..<0x20, 0x7F...0x9F, 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF: true
    default: false
    }
  }
}
