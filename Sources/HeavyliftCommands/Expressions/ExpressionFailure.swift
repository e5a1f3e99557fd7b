import HeavyliftExpression
import HeavyliftModel

/// A mistake in an expression on the command line, with its position.
struct ExpressionFailure: Error {
  var diagnostics: [Diagnostic]
  /// The text form, with a marker under each position.
  var text: String

  init(_ error: ExpressionSyntaxError) {
    diagnostics = error.diagnostics { DiagnosticLocation(line: 1, column: $0 + 1) }
    text = error.description
  }

  init(_ error: ExpressionEvaluationError, in source: String) {
    var diagnostic = error.diagnostic
    text = "\(diagnostic)\n\(SourceExcerpt(source, marking: error.range).description.indentedLines)"
    diagnostic.location = DiagnosticLocation(line: 1, column: error.range.lowerBound + 1)
    diagnostics = [diagnostic]
  }

  /// Runs an evaluation, and adds the object and the position to an error that it throws.
  static func telling<Result>(_ source: String, object: String? = nil, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as ExpressionEvaluationError {
      throw ExpressionFailure(object.map { error.at(.init(object: $0)) } ?? error, in: source)
    }
  }
}

extension String {
  /// The lines, indented for use below a message.
  var indentedLines: String {
    split(separator: "\n", omittingEmptySubsequences: false).map { "    \($0)" }.joined(separator: "\n")
  }
}
