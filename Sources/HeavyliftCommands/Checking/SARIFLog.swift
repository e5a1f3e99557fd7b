import Foundation
import HeavyliftModel

/// Findings in the Static Analysis Results Interchange Format, version 2.1.0, which code hosts and editors read.
struct SARIFLog {
  let json: JSONValue

  init(_ report: CheckReport) {
    let codes = Set(report.findings.map(\.diagnostic.code)).sorted()
    let places = Dictionary(uniqueKeysWithValues: zip(codes, codes.indices))
    json = .object([
      ("$schema", .string("https://json.schemastore.org/sarif-2.1.0.json")), ("version", .string("2.1.0")),
      (
        "runs",
        .array([
          .object([
            (
              "tool",
              .object([
                (
                  "driver",
                  .object([
                    ("name", .string("heavylift")), ("version", .string(CommandLineTool.heavylift.version)),
                    ("rules", .array(codes.map(Self.rule))),
                  ])
                )
              ])
            ),
            ("columnKind", .string("unicodeCodePoints")),
            ("results", .array(report.findings.map { Self.result($0, report, places[$0.diagnostic.code] ?? 0) })),
          ])
        ])
      ),
    ])
  }

  private static func rule(_ code: String) -> JSONValue {
    let words = code.replacing("-", with: " ").replacing(".", with: ": ")
    return .object([("id", .string(code)), ("shortDescription", .object([("text", .string(words))]))])
  }

  private static func result(_ finding: CheckReport.Finding, _ report: CheckReport, _ rule: Int) -> JSONValue {
    let diagnostic = finding.diagnostic
    var place: [(String, JSONValue)] = [
      ("artifactLocation", .object([("uri", .string(uri(report.repositoryPath(finding.file))))]))
    ]
    if let location = diagnostic.location {
      place.append(
        ("region", .object([("startLine", .count(location.line)), ("startColumn", .count(location.column))])))
    }
    let text = diagnostic.problem + (diagnostic.remedy.map { "\n\($0)" } ?? "")
    var members: [(String, JSONValue)] = [
      ("ruleId", .string(diagnostic.code)), ("ruleIndex", .count(rule)),
      ("level", .string(diagnostic.severity.rawValue)),
      ("message", .object([("text", .string(text))])),
      ("locations", .array([.object([("physicalLocation", .object(place))])])),
    ]
    if let reason = finding.acceptance {
      members.append(
        ("suppressions", .array([.object([("kind", .string("external")), ("justification", .string(reason))])])))
    }
    return .object(members)
  }

  /// A path as a relative reference, in which spaces and the like are escaped.
  private static func uri(_ path: String) -> String {
    var allowed = CharacterSet.urlPathAllowed
    allowed.remove(":")
    return path.addingPercentEncoding(withAllowedCharacters: allowed) ?? path
  }
}
