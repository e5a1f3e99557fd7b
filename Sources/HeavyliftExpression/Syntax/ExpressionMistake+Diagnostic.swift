public import HeavyliftModel

extension ExpressionMistake {
  /// Returns the mistake as a diagnostic.
  package func diagnostic(at location: DiagnosticLocation? = nil) -> Diagnostic {
    Diagnostic(.error, code: code, problem: problem, remedy: remedy, location: location)
  }
}

extension ExpressionMistake: CustomStringConvertible {
  /// The problem, followed by the remedy on a line of its own.
  package var description: String { diagnostic().description }
}

extension ExpressionSyntaxError {
  /// Returns the mistakes as diagnostics, each with its place in the file that contains the text.
  ///
  /// ```swift
  /// let diagnostics = error.diagnostics { attribute.location(ofScalarAt: $0) }
  /// ```
  public func diagnostics(locating: (_ scalarOffset: Int) -> DiagnosticLocation?) -> [Diagnostic] {
    mistakes.map { $0.diagnostic(at: locating($0.range.lowerBound)) }
  }
}

extension ExpressionSyntaxError: CustomStringConvertible {
  /// Every mistake with its problem, its remedy, and the marked line.
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
  /// Returns the location of the range's start in the file that contains the text.
  public func location(locating: (_ scalarOffset: Int) -> DiagnosticLocation?) -> DiagnosticLocation? {
    locating(lowerBound)
  }
}
