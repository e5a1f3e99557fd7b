/// The error for an expression that SQL cannot compute with exactly the same result; use the evaluator instead.
package struct NotTranslated: Error, Hashable, Sendable {
  /// The reason in lowercase, starting with the thing that cannot be translated.
  package var reason: String
  /// The range of the expression's text that causes the error.
  package var range: SourceRange

  /// Creates the error.
  package init(_ reason: String, at range: SourceRange = SourceRange()) {
    self.reason = reason
    self.range = range
  }
}

extension NotTranslated: CustomStringConvertible {
  /// The reason.
  package var description: String { reason }
}
