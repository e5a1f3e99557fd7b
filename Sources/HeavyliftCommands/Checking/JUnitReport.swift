import HeavyliftModel
import HeavyliftXML

/// Findings as test results: one test for each file, which fails if there are errors.
struct JUnitReport {
  let text: String

  init(_ report: CheckReport) {
    let findings = Dictionary(grouping: report.counted) { report.repositoryPath($0.file) }
    let names = Set(report.files.map(report.repositoryPath) + findings.keys).sorted { $0.precedesAsCounted($1) }
    let failures = names.count { name in findings[name]?.contains { $0.diagnostic.severity == .error } ?? false }
    let cases = names.map { name in Self.testCase(name, findings[name] ?? []) }
    text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites tests="\(names.count)" failures="\(failures)">
        <testsuite name="heavylift check" tests="\(names.count)" failures="\(failures)" errors="0" skipped="0">
      \(cases.joined())  </testsuite>
      </testsuites>

      """
  }

  private static func testCase(_ name: String, _ findings: [CheckReport.Finding]) -> String {
    let start = "    <testcase classname=\"heavylift check\" name=\"\(quoted(name))\""
    guard !findings.isEmpty else { return "\(start)/>\n" }
    let errors = findings.filter { $0.diagnostic.severity == .error }
    let others = findings.filter { $0.diagnostic.severity != .error }
    var text = "\(start)>\n"
    if let first = errors.first {
      text +=
        "      <failure type=\"\(quoted(first.diagnostic.code))\" message=\"\(quoted(first.diagnostic.problem.firstLine))\">"
      text += escaped(errors.map(\.diagnostic.description).joined(separator: "\n")) + "</failure>\n"
    }
    if !others.isEmpty {
      text +=
        "      <system-out>\(escaped(others.map(\.diagnostic.description).joined(separator: "\n")))</system-out>\n"
    }
    return "\(text)    </testcase>\n"
  }

  private static func quoted(_ text: String) -> String { XMLText.escapeAttribute(allowed(text)) }
  private static func escaped(_ text: String) -> String { XMLText.escape(allowed(text)) }

  /// Text without characters that XML does not allow.
  private static func allowed(_ text: String) -> String {
    let allowed = text.unicodeScalars.filter { scalar in
      scalar.value >= 0x20 && scalar.value != 0xFFFE && scalar.value != 0xFFFF || ["\n", "\t"].contains(scalar)
    }
    return String(String.UnicodeScalarView(allowed))
  }
}

extension String {
  fileprivate var firstLine: String { split(separator: "\n").first.map(String.init) ?? self }
}
