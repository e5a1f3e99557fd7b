extension ExpressionMistake {
  /// The fix, if there is one to suggest.
  package var remedy: String? {
    if let advice { return advice }
    let expected = expected
    guard let last = expected.last else { return nil }
    guard expected.count > 1 else { return "expected \(last)" }
    return "expected \(expected.dropLast().joined(separator: ", ")) or \(last)"
  }

  private var advice: String? {
    switch kind {
    case .emptyText: "write nil for no value, TRUEPREDICATE for every object"
    case .comment: "remove it"
    case .rangeWithoutBraces: "write BETWEEN {low, high}"
    case .listInParentheses: "write braces: {1, 2}"
    case .tooLong, .tooDeep: "shorten it, or move part of it into a function"
    case .unterminatedString: "close it with the quote that it begins with"
    case .curlyQuotes: "write straight quotes: \"…\" or '…'"
    case .malformedEscape(let text):
      text.hasPrefix("\\u") || text.hasPrefix("\\U")
        ? "write four hexadecimal digits after \\u"
        : "write hexadecimal digits after \\x, or a backslash itself as \\\\"
    case .surrogateEscape: "write the character itself, or both halves: \\uD83D\\uDE00"
    case .unknownCharacter(let scalar): Self.remedy(for: scalar)
    case .nonASCIIName: "pass the key as an argument for %K, or rename the property"
    case .lettersAfterNumber(_, let letters) where Keyword(rawValue: letters.lowercased()) != nil:
      "write a space before '\(letters)'"
    case .lettersAfterNumber(let number, let letters):
      "write \"\(number)\(letters)\" if it is text; a name begins with a letter or '_'"
    case .digitsMissing: "write digits after 0x, 0o or 0b"
    case .integerTooLarge(let text):
      text.dropFirst().first?.isLetter == true
        ? "the largest integer is \(Int64.max)"
        : "the largest integer is \(Int64.max); write '\(text).0' for a floating-point number"
    case .numberTooLarge: "the largest floating-point number is about 1.8e308"
    case .nameMissing(let sign):
      switch sign.first {
      case "$": "write the variable without a space: $source"
      case "#": "write the key directly after it: #size"
      default: "write the operator directly after it: @count"
      }
    case .unknownPlaceholder("%"): "for a remainder, write modulus:by:(a, b)"
    case .unknownPlaceholder: "the placeholders are %@, %K and, for numbers, %d, %ld, %u, %x, %f, %g, %c"
    case .expectedExpression: nil
    case .expectedComparison(_, let expression) where expression.uppercased().hasPrefix("SUBQUERY("):
      "compare the count: SUBQUERY(…).@count > 0"
    case .expectedComparison(_, let expression) where expression.first.map { "'\"-0123456789".contains($0) } == true:
      "repeat the left side of the comparison, or write IN {…, …}"
    case .expectedComparison(_, let expression): "compare it, for example: \(expression) == TRUE"
    case .unexpected: nil
    case .reservedWord(let word): "write #\(word) if it is a key"
    case .keyMissing: "write a key after the dot: a name, @count or #size"
    case .missingDot(let before, let after): "write a path with a dot: \(before).\(after)"
    case .misspeltOperator(_, let meant): "did you mean '\(meant)'?"
    case .methodCall(_, let meant?): "write the function before its arguments: \(meant)(…)"
    case .methodCall: "call a method of your own with FUNCTION(receiver, \"selector:\", argument)"
    case .missingSpace(_, let keyword): "write a space after '\(keyword)'"
    case .textAfterString:
      "write \\' or \\\" for a quote within the string, or begin and end it with the other kind of quote"
    case .negatedOperator(let name): "put NOT before the comparison: NOT a \(name) b"
    case .isNull(let negated): negated ? "write != nil" : "write == nil"
    case .unclosed(let bracket): "close it with '\(Self.closing(bracket))'"
    case .unopened(let bracket): "remove it, or open it with '\(Self.opening(bracket))'"
    case .missingComma: "separate the elements with commas"
    case .placeholderAsPredicate: "write the predicate itself in place of the placeholder"
    case .predicateAsExpression: "write TERNARY(predicate, 1, 0) to turn it into a value"
    case .predicatesJoined(let sign): "join predicates with '\(sign)\(sign)' or \(sign == "&" ? "AND" : "OR")"
    case .comparisonInExpression: "write TERNARY(predicate, TRUE, FALSE) to turn it into a value"
    case .chainedComparison(let word):
      word.map { "join two comparisons with \($0)" } ?? "join two comparisons with AND, or use BETWEEN {low, high}"
    case .quantifierWithoutComparison(let word):
      "it goes directly before the comparison: \(word) children.age > 3"
    case .repeatedQuantifier: "one quantifier is enough"
    case .quantifierOnRight: "quantifiers go before the left side; swap the sides of the comparison"
    case .unknownOption, .emptyOptions:
      "the options are c (case), d (diacritics), n (normalized) and l (locale)"
    case .wrongArgumentCount(let function, _, _): Self.usage(function)
    case .unknownFunction(let name, let nearest):
      FunctionSynonyms.remedy(for: name) ?? nearest.map { "did you mean '\($0)'?" }
        ?? "call a method of your own with FUNCTION(receiver, \"selector:\", argument)"
    case .selectorMissing: "write it as a string: FUNCTION($source, \"valueForKey:\", \"name\")"
    case .typeMissing: "write it as a string: CAST(date, \"NSNumber\")"
    case .subqueryVariableMissing: "write one: SUBQUERY(children, $child, $child.age > 3)"
    case .flagMissing: "write TRUE to get only the number of objects, FALSE to get the objects"
    case .placeholderWithoutArguments: "text in a file has no arguments; write the value or the key itself"
    case .missingArgument, .surplusArguments: "give one argument for each placeholder that is not in quotes"
    case .wrongArgumentKind(let placeholder, _, _): placeholder == "%K" ? nil : "%@ takes any value"
    case .invalidKeyPath: "write a key between the dots"
    }
  }

  private static func remedy(for scalar: Unicode.Scalar) -> String? {
    switch scalar {
    case "?":
      "write TERNARY(condition, value, otherwise) for a choice, %@ for an argument; "
        + "put a LIKE wildcard inside the string"
    case ";": "the text must be a single expression; remove the ';'"
    case ":": "write the selector without a space: add:to:(1, 2)"
    case "\\": "a backslash is an escape only within strings"
    case "`": "write straight quotes: \"…\" or '…'"
    case "\u{A0}", "\u{2000}"..."\u{200B}", "\u{202F}", "\u{3000}", "\u{FEFF}", "\u{85}": "write an ordinary space"
    case "\u{2212}", "\u{2013}", "\u{2014}": "write '-'"
    case "\u{00D7}": "write '*'"
    case "\u{00F7}": "write '/'"
    case "\u{2260}": "write '!='"
    case "\u{2264}": "write '<='"
    case "\u{2265}": "write '>='"
    default: nil
    }
  }

  /// Returns the syntax of a call, by the function's name.
  private static func usage(_ function: String) -> String? {
    switch function {
    case "FUNCTION": "write FUNCTION(receiver, \"selector:\", argument)"
    case "CAST": "write CAST(operand, \"Type\")"
    case "TERNARY": "write TERNARY(predicate, then, otherwise)"
    case "SUBQUERY": "write SUBQUERY(collection, $variable, predicate)"
    case "FETCH": "write FETCH(request, context, FALSE)"
    default:
      "a function takes one argument for each colon in its name"
    }
  }

  private static func closing(_ bracket: String) -> String {
    switch bracket {
    case "(": ")"
    case "[": "]"
    default: "}"
    }
  }

  private static func opening(_ bracket: String) -> String {
    switch bracket {
    case ")": "("
    case "]": "["
    default: "{"
    }
  }
}
