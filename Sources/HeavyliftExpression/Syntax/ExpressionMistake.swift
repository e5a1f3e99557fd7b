/// A mistake in the text of an expression; `problem` and `remedy` put it in words.
package struct ExpressionMistake: Error, Hashable, Sendable {
  /// The kind of mistake.
  package indirect enum Kind: Hashable, Sendable {
    // The text as a whole.
    case emptyText
    case tooLong(length: Int, limit: Int)
    case tooDeep(limit: Int)

    // Tokens.
    case unterminatedString
    case comment
    case curlyQuotes
    case malformedEscape(String)
    case surrogateEscape(String)
    case unknownCharacter(Unicode.Scalar)
    case nonASCIIName(String)
    case lettersAfterNumber(number: String, letters: String)
    case digitsMissing(String)
    case integerTooLarge(String)
    case numberTooLarge(String)
    case nameMissing(after: String)
    case unknownPlaceholder(String)

    // The order of tokens.
    case expectedExpression(found: String)
    case expectedComparison(found: String, expression: String)
    case unexpected(found: String, expected: [String])
    case reservedWord(String)
    case keyMissing(found: String)
    case missingDot(before: String, after: String)
    case misspeltOperator(String, meant: String)
    /// A call after a dot, such as `title.uppercased()`.
    case methodCall(String, meant: String?)
    case missingSpace(word: String, keyword: String)
    case textAfterString(String)
    case negatedOperator(String)
    case isNull(negated: Bool)
    case unclosed(String)
    case unopened(String)
    case missingComma(found: String)
    case listInParentheses
    case rangeWithoutBraces
    case placeholderAsPredicate(String)
    case predicateAsExpression
    case predicatesJoined(by: String)
    case comparisonInExpression
    case chainedComparison(joinedBy: String?)
    case quantifierWithoutComparison(String)
    case repeatedQuantifier(String)
    case quantifierOnRight(String)
    case unknownOption(String)
    case emptyOptions

    // Calls.
    case wrongArgumentCount(function: String, expected: String, found: Int)
    case unknownFunction(String, nearest: String?)
    case selectorMissing(found: String)
    case typeMissing(found: String)
    case subqueryVariableMissing(found: String)
    case flagMissing(found: String)

    // Placeholders.
    case placeholderWithoutArguments(String)
    case missingArgument(placeholder: String, given: Int)
    case surplusArguments(used: Int, given: Int)
    case wrongArgumentKind(placeholder: String, wanted: String, found: String)
    case invalidKeyPath
  }

  package var kind: Kind
  /// The range in the text, in Unicode scalars.
  package var range: SourceRange

  /// Creates a mistake.
  package init(_ kind: Kind, at range: SourceRange) {
    self.kind = kind
    self.range = range
  }
}
