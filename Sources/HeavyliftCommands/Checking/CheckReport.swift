import Foundation
import HeavyliftModel

/// Everything that a check has to say, in each of its formats.
struct CheckReport {
  /// A finding, what it is about, and why it was accepted.
  struct Finding {
    var source: String
    var diagnostic: Diagnostic
    /// The reason in the file of accepted findings; `nil` if the finding counts.
    var acceptance: String?

    /// The file to show the finding in.
    var file: String {
      diagnostic.location?.file ?? CheckReport.contents(of: source.components(separatedBy: ", version '")[0])
    }
  }

  enum Format: String, CaseIterable {
    case text, github, sarif, markdown, json, junit
  }

  private(set) var findings: [Finding] = []
  /// The numbers of findings about files that have not changed since the baseline, which are not listed.
  private(set) var oldCounts: [Diagnostic.Severity: Int] = [:]
  /// The files that were checked.
  private(set) var files: [String] = []
  /// The history, if there is a baseline.
  private(set) var history: HistoryCheck?
  private(set) var baseline: Baseline?
  private(set) var stages: StageCheck?
  private let io: CommandIO

  init(_ io: CommandIO) { self.io = io }

  mutating func compare(with baseline: Baseline, _ history: HistoryCheck) {
    (self.baseline, self.history) = (baseline, history)
  }

  mutating func add(_ stages: StageCheck, about subject: String) {
    self.stages = stages
    findings += stages.diagnostics.map { Finding(source: subject, diagnostic: $0) }
  }

  /// Adds the findings about one file and its parts, ordered by location; those without a location come last. What was
  /// there before, in files that have not changed since, is only counted.
  mutating func add(_ part: ProjectCheck.Part, accepting accepted: inout AcceptedFindings) {
    let file = Self.contents(of: part.files[0])
    if !files.contains(file) { files.append(file) }
    func isChanged(_ file: String) -> Bool {
      baseline?.isChanged(CheckedPlaces.absolute(file, io.directory)) ?? true
    }
    let isOwnChange = isChanged(part.files[0])
    let isNew = part.files.contains(where: isChanged)
    for (name, diagnostic) in FindingList.ordered(part.findings) {
      let reason = accepted.reason(for: diagnostic, about: name)
      // A changed model can break a mapping. Notes about the mapping are not new.
      if !isNew || (!isOwnChange && diagnostic.severity == .note), reason == nil, !Self.isUnreadable(diagnostic) {
        oldCounts[diagnostic.severity, default: 0] += 1
      } else {
        findings.append(Finding(source: name, diagnostic: diagnostic, acceptance: reason))
      }
    }
  }

  mutating func addHistory(accepting accepted: inout AcceptedFindings) {
    for finding in history?.oldFindings ?? [] { oldCounts[finding.severity, default: 0] += 1 }
    findings += (history?.findings ?? []).map { name, diagnostic in
      Finding(source: name, diagnostic: diagnostic, acceptance: accepted.reason(for: diagnostic, about: name))
    }
  }

  mutating func add(_ diagnostics: [Diagnostic], about source: String) {
    findings += diagnostics.map { Finding(source: source, diagnostic: $0) }
  }

  /// The findings that count.
  var counted: [Finding] { findings.filter { $0.acceptance == nil } }

  func has(_ severity: Diagnostic.Severity) -> Bool { counted.contains { $0.diagnostic.severity == severity } }

  /// True if one of the files could not be read.
  var hasUnreadable: Bool { counted.contains { Self.isUnreadable($0.diagnostic) } }

  private static func isUnreadable(_ diagnostic: Diagnostic) -> Bool {
    ["file.missing", "file.unreadable"].contains(diagnostic.code)
  }

  /// The file of a model's version; for anything else, the path itself.
  private static func contents(of path: String) -> String {
    path.hasSuffix(".xcdatamodel") ? "\(path)/contents" : path
  }

  /// The path of a file in the repository, or as the user named it if there is none.
  func repositoryPath(_ file: String) -> String {
    let absolute = CheckedPlaces.absolute(file, io.directory)
    let root = baseline?.root ?? CheckedPlaces.absolute(".", io.directory)
    return absolute.hasPrefix("\(root)/") ? String(absolute.dropFirst(root.count + 1)) : file
  }

  // MARK: Writing

  func write(_ format: Format) throws {
    switch format {
    case .text: try io.write(lines: lines(TextStyle(io)))
    case .json: try io.write(json.indented)
    case .github: try io.write(GitHubAnnotations(self).text)
    case .sarif: try io.write(SARIFLog(self).json.indented)
    case .markdown: try io.write(MarkdownReport(self).text)
    case .junit: try io.write(JUnitReport(self).text)
    }
  }

  /// The findings that count, as other commands print them.
  private var list: FindingList {
    var list = FindingList()
    list.append(counted.map { ($0.source, $0.diagnostic) })
    return list
  }

  private func lines(_ style: TextStyle) -> [String] {
    (stages?.lines ?? []) + list.lines(style).dropLast() + summary
  }

  /// The comparison, and the numbers of findings.
  var summary: [String] {
    var lines: [String] = []
    if let baseline, let history {
      lines.append("compared with \(baseline.title)")
      lines += history.newVersions.map { model, versions in "\(model): new \(versions.quotedList)" }
      lines += history.hops.map { "\($0.title): \($0.reason)" }
    }
    lines.append(list.summary)
    let accepted = findings.count - counted.count
    if accepted > 0 { lines.append("\(accepted.counted("finding")) accepted in \(AcceptedFindings.fileName)") }
    if !oldCounts.isEmpty {
      let counts = Diagnostic.Severity.allCases.compactMap { severity in
        oldCounts[severity].map { $0.counted(severity.rawValue) }
      }
      lines.append(
        "not listed: \(counts.joined(separator: ", ")) about files that have not changed; run without --since to see them"
      )
    }
    return lines
  }

  private var json: JSONValue {
    var members = list.members
    if let stages { members.append(("stages", stages.json)) }
    guard let baseline, let history else { return .object(members) }
    members += [
      ("comparedWith", .string(baseline.title)),
      (
        "newVersions",
        .array(
          history.newVersions.map { .object([("model", .string($0.model)), ("versions", .strings($0.versions))]) })
      ),
      (
        "hops",
        .array(
          history.hops.map {
            .object([
              ("from", .string($0.source.name)), ("to", .string($0.destination.name)), ("reason", .string($0.reason)),
            ])
          })
      ),
      ("accepted", .count(findings.count - counted.count)),
      ("unchanged", .count(oldCounts.values.reduce(0, +))),
    ]
    return .object(members)
  }
}
