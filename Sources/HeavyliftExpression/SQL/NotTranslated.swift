/// The error for an expression that SQL cannot compute with exactly the same result; use the evaluator instead.
public struct NotTranslated: Error, Hashable, Sendable {
  /// The reason in lowercase, starting with the thing that cannot be translated.
  public var reason: String
  /// The range of the expression's text that causes the error.
  public var range: SourceRange

  /// Creates the error.
  public init(_ reason: String, at range: SourceRange = SourceRange()) {
    self.reason = reason
    self.range = range
  }
}

extension NotTranslated: CustomStringConvertible {
  /// The reason.
  public var description: String { reason }
}
