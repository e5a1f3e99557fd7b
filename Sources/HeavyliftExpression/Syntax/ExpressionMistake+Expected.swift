extension ExpressionMistake {
  /// The alternatives expected in place of the mistake: descriptions, or tokens in quotes.
  package var expected: [String] {
    switch kind {
    case .unexpected(_, let expected): expected
    case .expectedExpression: ["a constant", "a key", "a variable", "a function", "'('", "'{'"]
    case .expectedComparison: PredicateOperator.allCases.map { "'\($0.rawValue)'" }
    case .keyMissing: ["a name", "'@'", "'#'"]
    case .unclosed(let bracket): [bracket == "(" ? "')'" : bracket == "[" ? "']'" : "'}'"]
    case .nameMissing: ["a name"]
    case .unknownOption, .emptyOptions: ["'c'", "'d'", "'n'", "'l'"]
    case .selectorMissing, .typeMissing: ["a string"]
    case .subqueryVariableMissing: ["a variable"]
    case .flagMissing: ["TRUE", "FALSE"]
    case .missingComma: ["','"]
    case .misspeltOperator(_, let meant): ["'\(meant)'"]
    case .missingDot: ["'.'", "an operator"]
    default: []
    }
  }
}
