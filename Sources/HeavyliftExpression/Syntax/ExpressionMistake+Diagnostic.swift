public import HeavyliftModel

extension ExpressionMistake {
  /// The mistake in the common form.
  public func diagnostic(at location: SourceLocation? = nil) -> Diagnostic {
    Diagnostic(.error, code: code, problem: problem, remedy: remedy, location: location)
  }
}

extension ExpressionMistake: CustomStringConvertible {
  /// The problem, and on a line of its own the remedy.
  public var description: String { diagnostic().description }
}

extension ExpressionSyntaxError {
  /// The mistakes in the common form, each at its place in the file that the text stands in.
  ///
  /// ```swift
  /// let diagnostics = error.diagnostics { attribute.location(ofScalarAt: $0) }
  /// ```
  public func diagnostics(locating: (_ scalarOffset: Int) -> SourceLocation?) -> [Diagnostic] {
    mistakes.map { $0.diagnostic(at: locating($0.range.lowerBound)) }
  }
}

extension ExpressionSyntaxError: CustomStringConvertible {
  /// Every mistake with its problem, its remedy, and the line it stands in, marked.
  public var description: String {
    mistakes.map { mistake in
      if text.isEmpty { return mistake.description }
      let excerpt = SourceExcerpt(text, marking: mistake.range).description
      return "\(mistake)\n"
        + excerpt.split(separator: "\n", omittingEmptySubsequences: false)
        .map { "    \($0)" }.joined(separator: "\n")
    }.joined(separator: "\n")
  }
}

extension SourceRange {
  /// Where the range begins in the file that its text stands in, given where each of the text's characters stands.
  public func location(locating: (_ scalarOffset: Int) -> SourceLocation?) -> SourceLocation? {
    locating(lowerBound)
  }
}
