import HeavyliftExpression
import HeavyliftModel

/// What is wrong with a text of the command line, with the place in it.
struct ExpressionFailure: Error {
  var diagnostics: [Diagnostic]
  /// The same for people, with a mark under each place.
  var text: String

  init(_ error: ExpressionSyntaxError) {
    diagnostics = error.diagnostics { SourceLocation(line: 1, column: $0 + 1) }
    text = error.description
  }

  init(_ error: ExpressionEvaluationError, in source: String) {
    var diagnostic = error.diagnostic
    text = "\(diagnostic)\n\(SourceExcerpt(source, marking: error.range).description.indentedLines)"
    diagnostic.location = SourceLocation(line: 1, column: error.range.lowerBound + 1)
    diagnostics = [diagnostic]
  }

  /// Runs what evaluates a text; what goes wrong is told with the object and the place.
  static func telling<Result>(_ source: String, object: String? = nil, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as ExpressionEvaluationError {
      throw ExpressionFailure(object.map { error.at(.init(object: $0)) } ?? error, in: source)
    }
  }
}

extension String {
  /// Every line moved in, as below a message.
  var indentedLines: String {
    split(separator: "\n", omittingEmptySubsequences: false).map { "    \($0)" }.joined(separator: "\n")
  }
}
