import Foundation
import Heavylift
import HeavyliftModel

/// An error with its message and exit code.
struct ErrorReport {
  let diagnostics: [Diagnostic]
  let exitCode: ExitCode
  private let usageCommand: String??
  /// The text form, if it contains more than the diagnostics.
  private let text: String?

  init(_ error: any Error) {
    exitCode = error is UsageError ? .usage : .failure
    usageCommand = (error as? UsageError).map(\.commandName)
    text = (error as? ExpressionFailure)?.text
    switch error {
    case let error as UsageError: diagnostics = [error.diagnostic]
    case let error as MigrationError: diagnostics = error.told
    case let failure as ExpressionFailure: diagnostics = failure.diagnostics
    case let error as POSIXError:
      diagnostics = [
        Diagnostic(
          .error, code: "file.system",
          problem: "the output cannot be written: \(String(cString: strerror(error.code.rawValue)).lowercased())",
          remedy: "the output so far is incomplete; write to a place with enough space")
      ]
    default: diagnostics = [Diagnostic](of: error)
    }
  }

  func write(to io: CommandIO, toolName: String, asJSON: Bool) throws {
    if asJSON {
      try io.writeError(JSONValue.object([("errors", .array(diagnostics.map(\.json)))]).line)
      return
    }
    if let text { return try io.writeError(lines: [text.shownLines]) }
    for diagnostic in diagnostics { try io.writeError(lines: [diagnostic.description.shownLines]) }
    if let usageCommand {
      let command = usageCommand.map { " \($0)" } ?? ""
      try io.writeError(lines: ["see '\(toolName)\(command) --help'"])
    }
  }
}

extension Diagnostic {
  /// The diagnostic as a JSON object.
  var json: JSONValue {
    .object([
      ("severity", .string(severity.rawValue)), ("code", .string(code)), ("problem", .string(problem)),
      ("remedy", .optional(remedy)),
      ("location", location.json),
    ])
  }
}

extension DiagnosticLocation? {
  /// The location as a JSON object.
  var json: JSONValue {
    guard let self else { return .null }
    return .object([("file", .optional(self.file)), ("line", .count(self.line)), ("column", .count(self.column))])
  }
}
