import HeavyliftModel

/// Diagnostics about several files, and their output.
struct FindingList {
  /// A diagnostic and the name of its subject. The name is shown if the diagnostic has no location.
  private struct Finding {
    var source: String
    var diagnostic: Diagnostic
  }

  private var findings: [Finding] = []

  init() {}

  init(_ diagnostics: [Diagnostic], about source: String) { add(diagnostics, about: source) }

  /// Adds the diagnostics about one file.
  mutating func add(_ diagnostics: [Diagnostic], about source: String) { add(diagnostics.map { (source, $0) }) }

  /// Adds the findings about one file and its parts, ordered by location; those without a location come last.
  mutating func add(_ found: [(source: String, diagnostic: Diagnostic)]) { append(Self.ordered(found)) }

  /// Adds findings that are ordered already.
  mutating func append(_ found: [(source: String, diagnostic: Diagnostic)]) {
    findings += found.map { Finding(source: $0.source, diagnostic: $0.diagnostic) }
  }

  /// Returns the findings about one file ordered by location, each of them once.
  static func ordered(
    _ found: [(source: String, diagnostic: Diagnostic)]
  ) -> [(source: String, diagnostic: Diagnostic)] {
    let start = DiagnosticLocation(line: 0, column: 0)
    let placed = found.filter { $0.diagnostic.location != nil }.sorted {
      ($0.diagnostic.location ?? start) < ($1.diagnostic.location ?? start)
    }
    // The check can repeat findings from reading the file.
    var seen: Set<Diagnostic> = []
    return placed.filter { seen.insert($0.diagnostic).inserted } + found.filter { $0.diagnostic.location == nil }
  }

  func has(_ severity: Diagnostic.Severity) -> Bool { findings.contains { $0.diagnostic.severity == severity } }

  func write(to io: CommandIO, asJSON: Bool) throws {
    asJSON ? try io.write(JSONValue.object(members).indented) : try io.write(lines: lines(TextStyle(io)))
  }

  /// Writes all findings, not only errors, to standard error.
  func writeErrors(to io: CommandIO, asJSON: Bool) throws {
    guard asJSON else { return try io.writeError(lines: lines(TextStyle(isOn: false))) }
    try io.writeError(JSONValue.object([("errors", .array(diagnostics.map(\.json)))]).line)
  }

  var diagnostics: [Diagnostic] { findings.map(\.diagnostic) }

  /// The findings in words, and their numbers.
  func lines(_ style: TextStyle) -> [String] {
    let lines = findings.map { finding in
      let diagnostic = finding.diagnostic
      let place = diagnostic.location.map(String.init(describing:)) ?? finding.source
      let kind = "\(diagnostic.severity.rawValue)[\(diagnostic.code)]"
      let colored =
        switch diagnostic.severity {
        case .error: style.red(kind)
        case .warning: style.yellow(kind)
        case .note: style.faint(kind)
        }
      let remedy = diagnostic.remedy.map { "\n  \($0.shownLines)" } ?? ""
      return "\(style.bold(place.shown)): \(colored): \(diagnostic.problem.shownLines)\(remedy)"
    }
    return lines.isEmpty ? [summary] : lines + ["", summary]
  }

  private func count(_ severity: Diagnostic.Severity) -> Int {
    findings.count { $0.diagnostic.severity == severity }
  }

  /// The number of findings of each kind: `2 errors, 1 warning`.
  var summary: String {
    let parts = Diagnostic.Severity.allCases.compactMap { severity in
      let count = count(severity)
      return count == 0 ? nil : count.counted(severity.rawValue)
    }
    return parts.isEmpty ? "no errors, no warnings" : parts.joined(separator: ", ")
  }

  /// The findings and their numbers, as members of a JSON object.
  var members: [(String, JSONValue)] {
    [
      (
        "diagnostics",
        .array(
          findings.map { finding in
            guard case .object(let members) = finding.diagnostic.json else { return .null }
            return .object([("source", .string(finding.source))] + members)
          })
      ),
      ("errors", .count(count(.error))), ("warnings", .count(count(.warning))), ("notes", .count(count(.note))),
    ]
  }
}
