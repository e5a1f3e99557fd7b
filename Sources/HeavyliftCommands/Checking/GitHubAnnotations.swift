import HeavyliftModel

/// Findings as GitHub's workflow commands, which show each of them on its line of a pull request.
struct GitHubAnnotations {
  let text: String

  init(_ report: CheckReport) {
    let lines = report.counted.map { finding in
      let diagnostic = finding.diagnostic
      let command =
        switch diagnostic.severity {
        case .error: "error"
        case .warning: "warning"
        case .note: "notice"
        }
      var properties = ["file=\(Self.escapedProperty(report.repositoryPath(finding.file)))"]
      if let location = diagnostic.location { properties += ["line=\(location.line)", "col=\(location.column)"] }
      properties.append("title=\(Self.escapedProperty(diagnostic.code))")
      let message = diagnostic.problem + (diagnostic.remedy.map { "\n\($0)" } ?? "")
      return "::\(command) \(properties.joined(separator: ","))::\(Self.escaped(message))\n"
    }
    text = lines.joined() + report.summary.map { "\($0.shown)\n" }.joined()
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
  }

  private static func escapedProperty(_ text: String) -> String {
    escaped(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
  }
}
