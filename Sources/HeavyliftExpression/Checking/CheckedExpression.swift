import HeavyliftModel

/// The result of checking an expression.
package struct CheckedExpression: Hashable, Sendable {
  /// The type of the value.
  package let type: ExpressionType
  /// The findings, sorted by their position in the text.
  package let findings: [ExpressionFinding]

  /// True if a finding prevents evaluation.
  package var hasErrors: Bool { findings.contains { $0.problem.severity == .error } }

  /// Returns the findings as diagnostics.
  ///
  /// - Parameter locating: Returns the location in the file for an offset in the expression's text; the offset counts
  ///   Unicode scalars.
  package func diagnostics(locating: (_ scalarOffset: Int) -> DiagnosticLocation? = { _ in nil }) -> [Diagnostic] {
    findings.map { finding in
      Diagnostic(
        finding.problem.severity, code: finding.problem.code, problem: finding.problem.problem,
        remedy: finding.problem.remedy, location: locating(finding.range.lowerBound))
    }
  }
}

/// A finding of the checker, with the range of the expression's text that caused the finding.
package struct ExpressionFinding: Hashable, Sendable {
  package let problem: CheckingMistake
  package let range: SourceRange
}
