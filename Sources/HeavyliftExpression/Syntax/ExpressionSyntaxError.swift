/// The mistakes in a text that is not a valid expression or predicate.
///
/// ```swift
/// do {
///   _ = try MappingPredicate(parsing: "title CONTAIN 'x'")
/// } catch {
///   print(error)
///   // error[expression.misspelt-operator]: 'CONTAIN' is not an operator
///   //   did you mean 'CONTAINS'?
///   //     title CONTAIN 'x'
///   //           ^~~~~~~
/// }
/// ```
public struct ExpressionSyntaxError: Error, Hashable, Sendable {
  /// The parsed text.
  public let text: String
  /// At least one mistake, sorted by position in the text.
  package let mistakes: [ExpressionMistake]

  /// Creates an error.
  ///
  /// An unterminated string is usually caused by a surplus quote earlier on; it is only reported if no other mistake
  /// precedes it.
  package init(text: String, mistakes: [ExpressionMistake]) {
    self.text = text
    var ordered = mistakes.sorted {
      ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
    }
    if let first = ordered.first, ordered.count > 1 {
      ordered.removeAll { $0.kind == .unterminatedString && $0 != first }
    }
    self.mistakes = ordered
  }
}
