public import HeavyliftModel

/// What a checker found.
public struct CheckedExpression: Hashable, Sendable {
  /// What the value will be.
  public let type: ExpressionType
  /// In order of their places.
  public let findings: [ExpressionFinding]

  /// Whether anything is wrong that keeps it from being evaluated.
  public var hasErrors: Bool { findings.contains { $0.problem.severity == .error } }

  /// What was found, in the common form.
  ///
  /// - Parameter locating: where in its file a character of the expression's text stands, counted in Unicode scalars.
  public func diagnostics(locating: (_ scalarOffset: Int) -> SourceLocation? = { _ in nil }) -> [Diagnostic] {
    findings.map { finding in
      Diagnostic(
        finding.problem.severity, code: finding.problem.code, problem: finding.problem.problem,
        remedy: finding.problem.remedy, location: locating(finding.range.lowerBound))
    }
  }
}

/// Something that a checker found, and the part of the expression's text that is to blame.
public struct ExpressionFinding: Hashable, Sendable {
  public let problem: CheckingMistake
  public let range: SourceRange
}
