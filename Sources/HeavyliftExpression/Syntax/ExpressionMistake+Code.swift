extension ExpressionMistake {
  /// The stable code for scripts and documentation.
  package var code: String { "expression.\(kind.name)" }
}

extension ExpressionMistake.Kind {
  fileprivate var name: String {
    switch self {
    case .emptyText: "empty"
    case .tooLong: "too-long"
    case .tooDeep: "too-deep"
    case .unterminatedString: "unterminated-string"
    case .comment: "comment"
    case .curlyQuotes: "curly-quotes"
    case .malformedEscape, .surrogateEscape: "malformed-escape"
    case .unknownCharacter: "unknown-character"
    case .nonASCIIName: "name-not-ascii"
    case .lettersAfterNumber, .digitsMissing: "malformed-number"
    case .integerTooLarge, .numberTooLarge: "number-too-large"
    case .nameMissing: "missing-name"
    case .unknownPlaceholder: "unknown-placeholder"
    case .expectedExpression: "expected-expression"
    case .expectedComparison: "expected-comparison"
    case .unexpected: "unexpected"
    case .reservedWord: "reserved-word"
    case .keyMissing: "missing-key"
    case .missingDot: "missing-dot"
    case .misspeltOperator: "misspelt-operator"
    case .methodCall: "method-call"
    case .missingSpace: "missing-space"
    case .textAfterString: "quote-in-string"
    case .negatedOperator: "negated-operator"
    case .isNull: "is-null"
    case .unclosed: "unclosed"
    case .unopened: "unopened"
    case .listInParentheses: "list-in-parentheses"
    case .rangeWithoutBraces: "range-without-braces"
    case .missingComma: "missing-comma"
    case .placeholderAsPredicate: "placeholder-as-predicate"
    case .predicateAsExpression: "predicate-as-expression"
    case .predicatesJoined: "predicates-joined"
    case .comparisonInExpression: "comparison-in-expression"
    case .chainedComparison: "chained-comparison"
    case .quantifierWithoutComparison, .repeatedQuantifier, .quantifierOnRight: "misplaced-quantifier"
    case .unknownOption, .emptyOptions: "unknown-option"
    case .wrongArgumentCount: "argument-count"
    case .unknownFunction: "unknown-function"
    case .selectorMissing: "missing-selector"
    case .typeMissing: "missing-type"
    case .subqueryVariableMissing: "missing-variable"
    case .flagMissing: "missing-flag"
    case .placeholderWithoutArguments: "placeholder-without-arguments"
    case .missingArgument, .surplusArguments: "placeholder-count"
    case .wrongArgumentKind, .invalidKeyPath: "placeholder-kind"
    }
  }
}
