import HeavyliftModel

/// `heavylift check MODEL…`: everything that is wrong with models, every version of them.
public struct CheckCommand: Command {
  public static let description = CommandDescription(
    name: "check", abstract: "Check object models for mistakes",
    discussion: """
      All mistakes are told at once, each with its place, a stable code and what to do. Of a bundle every version is \
      checked. An error is something that Xcode's compiler or Core Data refuses, a warning is accepted but surprises, a \
      note is for whoever wants to know.

      Exits with 0 if there is no error and with 2 if there is one; that a file is damaged, or no model at all, is one. \
      Exits with 1 if a file or folder is not there or may not be read, as that one was not checked.
      """,
    arguments: [
      .init(
        "MODEL", help: "An .xcdatamodeld, an .xcdatamodel, a contents file, a .momd or a .mom.", isRepeatable: true)
    ],
    examples: [
      .init("check Library.xcdatamodeld", "Checks every version of the model."),
      .init("check --json *.xcdatamodeld", "The same for scripts, and for several models."),
    ])

  /// The paths of the models.
  public var models: [String]
  public var writesJSON: Bool

  /// Creates the command.
  public init(models: [String], writesJSON: Bool = false) {
    self.models = models
    self.writesJSON = writesJSON
  }

  public init(_ arguments: ParsedArguments) throws(UsageError) {
    self.init(models: arguments.values(ofArgument: "MODEL"), writesJSON: arguments.has("json"))
  }

  public func run(_ io: CommandIO) throws -> ExitCode {
    let findings = models.flatMap { self.findings(in: $0, io) }
    if writesJSON {
      try io.write(Self.json(findings).indented)
    } else {
      try io.write(Self.text(findings, style: TextStyle(io)))
    }
    // What is not there was not checked.
    if findings.contains(where: { $0.isUnreadable }) { return .failure }
    return findings.contains { $0.diagnostic.severity == .error } ? .negative : .success
  }

  /// A diagnostic, and what it is about if it does not say so itself.
  private struct Finding {
    var source: String
    var diagnostic: Diagnostic

    /// Whether nothing is known of what the file holds.
    var isUnreadable: Bool { ["file.missing", "file.unreadable"].contains(diagnostic.code) }
  }

  /// A model that cannot be read at all is a finding like any other: the next ones are checked all the same.
  private func findings(in path: String, _ io: CommandIO) -> [Finding] {
    do {
      let source = try ModelSource(path: path, url: io.url(path))
      var findings = source.diagnostics.map { Finding(source: path, diagnostic: $0) }
      for version in source.versions {
        let name = source.versions.count > 1 ? "\(path), version '\(version.name)'" : path
        findings += version.model.check().map { Finding(source: name, diagnostic: $0) }
      }
      // What reading finds out, checking may find out again.
      var seen: Set<Diagnostic> = []
      let placed = findings.filter { $0.diagnostic.location != nil }.sorted {
        ($0.diagnostic.location ?? SourceLocation(line: 0, column: 0))
          < ($1.diagnostic.location ?? SourceLocation(line: 0, column: 0))
      }
      return placed.filter { seen.insert($0.diagnostic).inserted } + findings.filter { $0.diagnostic.location == nil }
    } catch {
      return ErrorReport(error).diagnostics.map { Finding(source: path, diagnostic: $0) }
    }
  }

  private static func text(_ findings: [Finding], style: TextStyle) -> String {
    var lines = findings.map { finding in
      let diagnostic = finding.diagnostic
      let place = diagnostic.location.map(String.init(describing:)) ?? finding.source
      let kind = "\(diagnostic.severity.rawValue)[\(diagnostic.code)]"
      let coloured =
        switch diagnostic.severity {
        case .error: style.red(kind)
        case .warning: style.yellow(kind)
        case .note: style.faint(kind)
        }
      let remedy = diagnostic.remedy.map { "\n  \($0.shownLines)" } ?? ""
      return "\(style.bold(place.shown)): \(coloured): \(diagnostic.problem.shownLines)\(remedy)"
    }
    if !findings.isEmpty { lines.append("") }
    lines.append(summary(findings))
    return lines.joined(separator: "\n") + "\n"
  }

  private static func count(_ severity: Diagnostic.Severity, _ findings: [Finding]) -> Int {
    findings.count { $0.diagnostic.severity == severity }
  }

  /// `2 errors, 1 warning`.
  private static func summary(_ findings: [Finding]) -> String {
    let parts = Diagnostic.Severity.allCases.compactMap { severity in
      let count = count(severity, findings)
      return count == 0 ? nil : count.counted(severity.rawValue)
    }
    return parts.isEmpty ? "no errors, no warnings" : parts.joined(separator: ", ")
  }

  private static func json(_ findings: [Finding]) -> JSONValue {
    .object([
      (
        "diagnostics",
        .array(
          findings.map { finding in
            guard case .object(let members) = finding.diagnostic.json else { return .null }
            return .object([("source", .string(finding.source))] + members)
          })
      ),
      ("errors", .count(count(.error, findings))), ("warnings", .count(count(.warning, findings))),
      ("notes", .count(count(.note, findings))),
    ])
  }
}
