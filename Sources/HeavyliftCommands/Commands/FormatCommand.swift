import Foundation
import HeavyliftModel
import HeavyliftXML

/// `heavylift format FILE…`: rewrites mapping files in canonical form.
package struct FormatCommand: Command {
  package static let description = CommandDescription(
    name: "format", abstract: "Rewrite mapping files in canonical form",
    discussion: """
      Every mapping has exactly one canonical form, so two versions of a file differ only in what was changed. \
      Comments, the order of mappings and properties, and blank lines between them are kept. Files are \
      rewritten in place and atomically; a file with mistakes is left unchanged.

      With --check, writes nothing and lists the files that are not in canonical form; exits with 2 if there are \
      any. Exits with 1 if a file has mistakes or cannot be read or written.
      """,
    arguments: [.init("FILE", help: "A mapping file.", isRepeatable: true)],
    options: [.init(flag: "check", help: "Write nothing, and list the files that are not in canonical form.")],
    examples: [
      .init("format MappingModels/*/*.xml", "Rewrites all mapping files."),
      .init("format --check MappingModels/*/*.xml", "Checks them, for continuous integration."),
    ])

  package var files: [String]
  package var onlyChecks: Bool
  package var writesJSON: Bool

  /// Creates the command.
  package init(files: [String], onlyChecks: Bool = false, writesJSON: Bool = false) {
    self.files = files
    self.onlyChecks = onlyChecks
    self.writesJSON = writesJSON
  }

  package init(_ arguments: ParsedArguments) throws(UsageError) {
    self.init(
      files: arguments.values(ofArgument: "FILE"), onlyChecks: arguments.has("check"), writesJSON: arguments.has("json")
    )
  }

  package func run(_ io: CommandIO) throws -> ExitCode {
    var changed: [String] = []
    var mistakes: [Diagnostic] = []
    for file in files {
      do {
        if try format(file, io) { changed.append(file) }
      } catch {
        mistakes += ErrorReport(error).diagnostics
      }
    }
    if !mistakes.isEmpty {
      try ErrorReport(DiagnosticList(mistakes)).write(to: io, toolName: "heavylift", asJSON: writesJSON)
    }
    if writesJSON {
      try io.write(JSONValue.object([(onlyChecks ? "notCanonical" : "rewritten", .strings(changed))]).indented)
    } else {
      for file in changed {
        try io.write(lines: ["\(file.shown)\(onlyChecks ? " is not in canonical form" : "")"])
      }
    }
    if !mistakes.isEmpty { return .failure }
    return onlyChecks && !changed.isEmpty ? .negative : .success
  }

  /// Returns true if the file was not in canonical form, even if it has now been rewritten.
  private func format(_ file: String, _ io: CommandIO) throws -> Bool {
    let url = io.url(file)
    let reading = try MappingReader.read(contentsOf: url, file: file)
    let text = try MappingWriter.text(of: try reading.validMappingModel())
    guard try Data(text.utf8) != Data(contentsOf: url) else { return false }
    if !onlyChecks { try MappingOutput(path: file).write(text: text, to: io) }
    return true
  }
}
