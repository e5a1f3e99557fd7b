/// An expression has no translation that would give the same value, bit for bit; the evaluator takes it.
public struct NotTranslated: Error, Hashable, Sendable {
  /// Lower case, naming the thing first.
  public var reason: String
  /// The part of the expression's text that is to blame.
  public var range: SourceRange

  /// Creates a refusal.
  public init(_ reason: String, at range: SourceRange = SourceRange()) {
    self.reason = reason
    self.range = range
  }
}

extension NotTranslated: CustomStringConvertible {
  /// The reason.
  public var description: String { reason }
}
