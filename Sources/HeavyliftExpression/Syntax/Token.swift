/// The smallest meaningful piece of a text.
final class Token: Sendable {
  enum Kind: Equatable, Sendable {
    /// The magnitude; a sign is an operator. The magnitude of `Int64.min` does not fit into an `Int64`.
    case integer(UInt64)
    case double(Double)
    case string(String)
    case word(String, Keyword?)
    case variable(String)
    /// `#name`: a key, even if the name is a keyword.
    case escapedKey(String)
    /// `@name`
    case atKey(String)
    /// `name:` or `name:label:`.
    case selector(String)
    /// `%@`, `%K`, `%ld` …, without the percent sign.
    case placeholder(String)
    case symbol(Symbol)
    /// Already reported by the lexer.
    case invalid
    case end
  }

  let kind: Kind
  let range: SourceRange
  /// The keyword, if the token is one.
  let keyword: Keyword?
  /// The symbol, if the token is one.
  let symbol: Symbol?

  init(kind: Kind, range: SourceRange) {
    self.kind = kind
    self.range = range
    if case .word(_, let keyword) = kind { self.keyword = keyword } else { keyword = nil }
    if case .symbol(let symbol) = kind { self.symbol = symbol } else { symbol = nil }
  }
}

/// A token written without letters.
enum Symbol: String, Hashable, Sendable, CaseIterable {
  case openParenthesis = "("
  case closeParenthesis = ")"
  case openBracket = "["
  case closeBracket = "]"
  case openBrace = "{"
  case closeBrace = "}"
  case comma = ","
  case dot = "."
  case plus = "+"
  case minus = "-"
  case times = "*"
  case divided = "/"
  case power = "**"
  case pipe = "|"
  case caret = "^"
  case ampersand = "&"
  case tilde = "~"
  case shiftLeft = "<<"
  case shiftRight = ">>"
  case equal = "="
  case equalEqual = "=="
  case notEqual = "!="
  case lessGreater = "<>"
  case less = "<"
  case lessEqual = "<="
  case equalLess = "=<"
  case greater = ">"
  case greaterEqual = ">="
  case equalGreater = "=>"
  case andAnd = "&&"
  case orOr = "||"
  case bang = "!"
  case assign = ":="

  private static let bySpelling = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

  /// Creates the longest symbol that these characters start with: `**` rather than `*`.
  init?(_ first: Unicode.Scalar, _ second: Unicode.Scalar?) {
    if let second {
      var both = String(Character(first))
      both.unicodeScalars.append(second)
      if let found = Self.bySpelling[both] {
        self = found
        return
      }
    }
    guard let found = Self.bySpelling[String(Character(first))] else { return nil }
    self = found
  }

  var comparator: PredicateOperator? {
    switch self {
    case .equal, .equalEqual: .equal
    case .notEqual, .lessGreater: .notEqual
    case .less: .less
    case .lessEqual, .equalLess: .lessOrEqual
    case .greater: .greater
    case .greaterEqual, .equalGreater: .greaterOrEqual
    default: nil
    }
  }

  /// The matching closing bracket.
  var closing: Symbol? {
    switch self {
    case .openParenthesis: .closeParenthesis
    case .openBracket: .closeBracket
    case .openBrace: .closeBrace
    default: nil
    }
  }

  var isClosing: Bool { self == .closeParenthesis || self == .closeBracket || self == .closeBrace }
}
