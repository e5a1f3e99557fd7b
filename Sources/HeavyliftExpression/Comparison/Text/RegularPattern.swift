import Foundation

/// The regular expression of `MATCHES`, read once; it must match a text as a whole.
///
/// The syntax is ICU's. A dot matches new lines as well, and `^` and `$` match at every line.
struct RegularPattern: Sendable {
  /// Nil for the empty pattern, which matches nothing.
  private let expression: NSRegularExpression?
  private let folding: Folding

  init(_ pattern: String, options: ComparisonOptions) throws(EvaluationMistake) {
    folding = Folding(options.intersection(.diacriticInsensitive))
    let pattern = folding.fold(pattern)
    guard !pattern.isEmpty else {
      expression = nil
      return
    }
    var flags: NSRegularExpression.Options = [.dotMatchesLineSeparators, .anchorsMatchLines]
    if options.contains(.caseInsensitive) { flags.insert(.caseInsensitive) }
    // By itself first: a closing parenthesis too many must not end the group that is put around it.
    guard (try? NSRegularExpression(pattern: pattern, options: flags)) != nil else { throw .invalidPattern }
    // A pattern that ends in a comment would swallow the parenthesis; there a new line means nothing.
    expression =
      (try? NSRegularExpression(pattern: "\\A(?:\(pattern))\\z", options: flags))
      ?? (try? NSRegularExpression(pattern: "\\A(?:\(pattern)\n)\\z", options: flags))
    if expression == nil { throw .invalidPattern }
  }

  func matches(_ text: String) throws(EvaluationMistake) -> Bool {
    guard let expression else { return false }
    guard let found = expression.boundedMatch(in: folding.fold(text)) else { throw .endlessPattern }
    return found
  }
}
