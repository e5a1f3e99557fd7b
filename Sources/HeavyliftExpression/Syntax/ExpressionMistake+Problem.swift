extension ExpressionMistake {
  /// The problem in lowercase, starting with the thing that is wrong.
  package var problem: String {
    switch kind {
    case .emptyText: "the text is empty"
    case .tooLong(_, let limit): "the text has more than \(limit) characters"
    case .tooDeep(let limit): "the text is nested more than \(limit) levels deep"
    case .unterminatedString: "this string does not end"
    case .comment: "expressions cannot contain comments"
    case .curlyQuotes: "typographic quotes do not delimit a string"
    case .malformedEscape(let text): "'\(text)' is not a complete escape sequence"
    case .surrogateEscape(let text): "'\(text)' is only half a character"
    case .unknownCharacter(let scalar): "\(Self.shown(scalar)) has no meaning here"
    case .nonASCIIName(let name): "'\(name)' is not a name: names consist of ASCII letters, digits and '_'"
    case .lettersAfterNumber(let number, let letters): "'\(letters)' directly follows the number '\(number)'"
    case .digitsMissing(let text): "'\(text)' has no digits"
    case .integerTooLarge(let text): "'\(text)' is too large for an integer"
    case .numberTooLarge(let text): "'\(text)' is too large for a floating-point number"
    case .nameMissing(let sign): "'\(sign)' has no name after it"
    case .unknownPlaceholder(let text): "'\(text)' is not a placeholder"
    case .expectedExpression(let found): "\(Self.appears(found)) where an expression is expected"
    case .expectedComparison(_, let expression): "'\(expression)' is not compared with anything"
    case .unexpected(let found, _): "\(Self.shown(found)) is not expected here"
    case .reservedWord(let word): "'\(word)' is a reserved word"
    case .keyMissing(let found): "\(Self.appears(found)) where a key is expected"
    case .missingDot(let before, let after): "'\(after)' follows '\(before)' with nothing between them"
    case .misspeltOperator(let name, _): "'\(name)' is not an operator"
    case .methodCall(let name, _): "'\(name)(' is called after a dot, but expressions have no methods"
    case .missingSpace(let word, _): "'\(word)' directly follows a string"
    case .textAfterString(let text): "the string ends before '\(text)'"
    case .negatedOperator(let name): "'NOT \(name)' is not an operator"
    case .isNull(let negated): "'IS \(negated ? "NOT NULL" : "NULL")' is not an operator"
    case .unclosed(let bracket): "this '\(bracket)' is never closed"
    case .unopened(let bracket): "this '\(bracket)' closes nothing"
    case .listInParentheses: "parentheses do not delimit a list"
    case .rangeWithoutBraces: "BETWEEN has one value on its right, not a list of two"
    case .missingComma(let found): "\(Self.shown(found)) follows without a comma"
    case .placeholderAsPredicate(let text): "'\(text)' is a value, not a predicate"
    case .predicateAsExpression: "a predicate is used where a value is needed"
    case .predicatesJoined(let sign): "'\(sign)' works on numbers, not on predicates"
    case .comparisonInExpression: "a predicate is used where an expression is needed"
    case .chainedComparison: "a comparison compares two values, not three"
    case .quantifierWithoutComparison(let word): "'\(word)' is not followed by a comparison"
    case .repeatedQuantifier(let word): "'\(word)' follows another quantifier"
    case .quantifierOnRight(let word): "'\(word)' is on the right of an operator"
    case .unknownOption(let letter): "'\(letter)' is not an option of a comparison"
    case .emptyOptions: "the brackets after the operator contain no option"
    case .wrongArgumentCount(let function, let expected, let found):
      "'\(function)' takes \(expected) argument\(expected.hasSuffix(" 1") || expected == "1" ? "" : "s"), not \(found)"
    case .unknownFunction(let name, _): "there is no function '\(name)'"
    case .selectorMissing(let found): "'\(found)' appears where a selector is expected"
    case .typeMissing(let found): "'\(found)' appears where a type name is expected"
    case .subqueryVariableMissing(let found): "'\(found)' appears where a variable is expected"
    case .flagMissing(let found): "'\(found)' appears where TRUE or FALSE is expected"
    case .placeholderWithoutArguments(let text): "'\(text)' has no argument"
    case .missingArgument(let placeholder, let given):
      "'\(placeholder)' has no argument: \(given == 0 ? "none was" : "\(given) \(given == 1 ? "was" : "were")") given"
    case .surplusArguments(let used, let given):
      "\(counted(given, "argument")) \(given == 1 ? "was" : "were") given for \(counted(used, "placeholder"))"
    case .wrongArgumentKind(let placeholder, let wanted, let found): "'\(placeholder)' takes \(wanted), not \(found)"
    case .invalidKeyPath: "the argument of '%K' has an empty key"
    }
  }

  /// Describes a piece of the text that is in the wrong place; if it is empty, the text has ended.
  private static func appears(_ found: String) -> String { found.isEmpty ? "the text ends" : "\(shown(found)) appears" }

  /// Quotes a piece of the text; if it is empty, the text has ended.
  private static func shown(_ found: String) -> String {
    switch found.first {
    case nil: "the end of the text"
    // A string already has quotes.
    case "'", "\"": found
    default: "'\(found)'"
    }
  }

  /// Returns a visible form of a character.
  private static func shown(_ scalar: Unicode.Scalar) -> String {
    let code =
      "U+" + String(repeating: "0", count: max(0, 4 - String(scalar.value, radix: 16).count))
      + String(scalar.value, radix: 16, uppercase: true)
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator, .spaceSeparator,
      .nonspacingMark, .enclosingMark, .spacingMark:
      return code + (scalar.properties.name.map { " (\($0.lowercased()))" } ?? "")
    default: return "'\(scalar)'"
    }
  }
}
