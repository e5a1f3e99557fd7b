import Foundation

/// The compiled regular expression of `MATCHES`, which must match the whole string.
///
/// The syntax is ICU's. A dot also matches newlines, and `^` and `$` match at every line.
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
    // The pattern is first compiled alone: a surplus closing parenthesis must not close the group that is added around
    // it.
    guard (try? NSRegularExpression(pattern: pattern, options: flags)) != nil else { throw .invalidPattern }
    // A comment at the end of the pattern would swallow the added parenthesis; a newline ends the comment and has no
    // other meaning there.
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
