extension Parser {
  /// Returns the text of a token for a message, as written, shortened if it is long.
  func shown(_ token: Token) -> String {
    if case .end = token.kind { return "" }
    return written(token.range)
  }

  /// Returns a part of the text as written, shortened if it is long.
  func written(_ range: SourceRange) -> String {
    let length = range.upperBound - range.lowerBound
    var shown = String.UnicodeScalarView()
    shown.append(contentsOf: scalars[range.lowerBound..<(range.lowerBound + min(length, 40))])
    return String(shown) + (length > 40 ? "…" : "")
  }

  /// Returns the mistake for a token that cannot continue the parsed text.
  func unexpected(after node: SyntaxNode?) -> ExpressionMistake.Kind {
    let found = shown(current)
    let next = token(after: 1)
    switch current.kind {
    case .symbol(let symbol) where symbol.isClosing: return .unopened(found)
    case .symbol(.openParenthesis):
      guard position > 1, case .word(let name, nil)? = previous?.kind, tokens[position - 2].symbol == .dot else {
        break
      }
      return .methodCall(name, meant: BuiltinFunction.nearest(to: "\(name):"))
    case .symbol(.bang) where next.symbol == .equal: return .misspeltOperator("! =", meant: "!=")
    case .word(let name, let keyword):
      if let kind = wordAfterString(name) { return kind }
      if keyword == .not, isComparison(next) { return .negatedOperator(shown(next).uppercased()) }
      if name.lowercased() == "is" {
        let negated = next.keyword == .not
        let last = negated ? token(after: 2) : next
        if last.keyword == .null || last.keyword == .nil { return .isNull(negated: negated) }
      }
      if keyword == nil, let meant = Self.nearestOperator(name) { return .misspeltOperator(name, meant: meant) }
      if keyword == nil, let kind = missingDot(before: name) { return kind }
    case .string, .integer, .double, .variable, .placeholder:
      if case .word(let name, nil) = previous?.kind, let meant = Self.nearestOperator(name) {
        return .misspeltOperator(name, meant: meant)
      }
    default: break
    }
    if isInList, current.beginsOperand { return .missingComma(found: found) }
    return .unexpected(found: found, expected: node?.isPredicate == true ? ["AND", "OR"] : ["an operator"])
  }

  /// Returns the mistake for a word directly after a string: a keyword without spaces, or the rest of a string that
  /// contains a quote.
  private func wordAfterString(_ name: String) -> ExpressionMistake.Kind? {
    guard let previous, case .string = previous.kind, previous.range.upperBound == current.range.lowerBound else {
      return nil
    }
    let lowercased = name.lowercased()
    let joined = ["and", "or"].first { lowercased.hasPrefix($0) && name.prefix($0.count) == $0.uppercased() }
    if let joined { return .missingSpace(word: name, keyword: joined.uppercased()) }
    return .textAfterString(name)
  }

  private func missingDot(before name: String) -> ExpressionMistake.Kind? {
    var first = position - 1
    while first > 1, tokens[first - 1].symbol == .dot { first -= 2 }
    guard first >= 0, position > 0 else { return nil }
    switch tokens[position - 1].kind {
    case .variable, .escapedKey, .word(_, nil): break
    // A key may be spelled like a keyword.
    case .word where first < position - 1: break
    default: return nil
    }
    return .missingDot(before: written(tokens[first].range.through(tokens[position - 1].range)), after: name)
  }

  private static let operators = [
    "BEGINSWITH", "BETWEEN", "CONTAINS", "ENDSWITH", "LIKE", "MATCHES", "AND", "OR", "IN", "UNION", "INTERSECT",
    "MINUS",
  ]

  /// Names of operators and functions in other languages, with their equivalents.
  private static let synonyms = [
    "STARTSWITH": "BEGINSWITH", "HASPREFIX": "BEGINSWITH", "STARTS": "BEGINSWITH", "BEGINS": "BEGINSWITH",
    "HASSUFFIX": "ENDSWITH", "ENDS": "ENDSWITH", "EQUALS": "==", "EQ": "==", "EQUAL": "==", "NE": "!=", "GT": ">",
    "LT": "<", "GE": ">=", "LE": "<=", "REGEX": "MATCHES", "REGEXP": "MATCHES", "RLIKE": "MATCHES",
    "GLOB": "LIKE", "ILIKE": "LIKE[c]", "INTERSECTION": "INTERSECT", "EXCEPT": "MINUS",
  ]

  private static func nearestOperator(_ name: String) -> String? {
    let capitals = name.uppercased()
    if let synonym = synonyms[capitals] { return synonym }
    guard name.utf8.count >= 3, name.utf8.count <= 16 else { return nil }
    return operators.filter { $0.utf8.count >= 4 }.nearest(to: capitals)
  }
}

extension BuiltinFunction {
  /// Returns the function most likely intended by an unknown name.
  package static func nearest(to name: String) -> String? {
    allCases.map(\.rawValue).nearest(to: name)
  }
}

extension Token {
  /// True if the token can start an operand.
  fileprivate var beginsOperand: Bool {
    switch kind {
    case .integer, .double, .string, .variable, .escapedKey, .atKey, .placeholder, .selector: true
    case .word(_, let keyword): keyword.map { !$0.isReservedAsKey } ?? true
    case .symbol(let symbol): symbol == .openBrace
    case .invalid, .end: false
    }
  }
}
