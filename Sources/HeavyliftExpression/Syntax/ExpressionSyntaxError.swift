/// A text that is no expression, or no predicate, with everything that is wrong with it.
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
  /// What was read.
  public let text: String
  /// At least one, in order of their places.
  public let mistakes: [ExpressionMistake]

  /// Creates an error.
  ///
  /// A string that does not end is mostly a quote too many earlier on; it is told only where nothing else is wrong.
  public init(text: String, mistakes: [ExpressionMistake]) {
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
