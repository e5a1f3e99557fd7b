import HeavyliftMapping
import HeavyliftModel

/// Findings and what becomes of each entity, for a comment on a pull request.
struct MarkdownReport {
  /// GitHub refuses longer comments.
  private static let mostCharacters = 60_000
  private static let mostFindings = 50

  let text: String

  init(_ report: CheckReport) {
    var sections = ["## Model history: \(Self.verdict(report))"]
    sections.append(report.summary.map { "- \(Self.escaped($0))" }.joined(separator: "\n"))
    if let table = Self.table(report) { sections.append(table) }
    for hop in report.history?.hops ?? [] {
      sections.append("### \(Self.escaped(hop.title))\n\n\(Self.escaped(hop.reason.firstLetterCapitalized)).")
      if let picture = HopPicture(hop).text { sections.append("```mermaid\n\(picture)```") }
      sections += hop.mappings.map { Self.details($0.explanation()) }
    }
    var text = ""
    for (place, section) in sections.enumerated() {
      guard text.utf16.count + section.utf16.count < Self.mostCharacters else {
        text += "\(sections.count - place) more parts do not fit into a comment.\n"
        break
      }
      text += "\(section)\n\n"
    }
    self.text = text
  }

  private static func verdict(_ report: CheckReport) -> String {
    report.has(.error) ? "errors" : report.has(.warning) ? "warnings" : "no objections"
  }

  private static func table(_ report: CheckReport) -> String? {
    let findings = Diagnostic.Severity.allCases.flatMap { severity in
      report.counted.filter { $0.diagnostic.severity == severity }
    }
    guard !findings.isEmpty else { return nil }
    let rows = findings.prefix(mostFindings).map { finding in
      let diagnostic = finding.diagnostic
      let place = report.repositoryPath(finding.file) + (diagnostic.location.map { ":\($0.line)" } ?? "")
      let remedy = diagnostic.remedy.map { "<br>→ \(cell($0))" } ?? ""
      return
        "| \(diagnostic.severity.rawValue) | \(code(place)) | \(cell(diagnostic.problem))\(remedy)<br>`\(diagnostic.code)` |"
    }
    let rest = findings.count > mostFindings ? "\n\n\(findings.count - mostFindings) more findings are not shown." : ""
    return "| | where | what |\n|---|---|---|\n" + rows.joined(separator: "\n") + rest
  }

  /// The result for each entity, folded away.
  private static func details(_ explanation: MappingExplanation) -> String {
    let rows = explanation.entityMappings.map { mapping in
      let sides = [mapping.sourceEntity, mapping.destinationEntity].map { $0.map(Self.code) ?? "–" }
      let kind = mapping.origin == .implied && mapping.isPlainCopy ? "copied" : mapping.type.word
      return "| \(sides[0]) | \(sides[1]) | \(kind) | \(cell(mapping.effects.joined(separator: "; "))) |"
    }
    let gone = explanation.droppedEntities.map { "| \(code($0)) | – | **dropped** | all objects are deleted |" }
    let new = explanation.unfilledEntities.map { "| – | \(code($0)) | new | no objects |" }
    return """
      <details><summary>What becomes of each entity</summary>

      | from | to | how | what changes |
      |---|---|---|---|
      \((rows + gone + new).joined(separator: "\n"))

      </details>
      """
  }

  /// A name in a table: between backticks, a vertical line would end the cell.
  private static func code(_ text: String) -> String { "<code>\(cell(text))</code>" }

  private static func cell(_ text: String) -> String {
    escaped(text).replacing("|", with: "\\|").replacing("\n", with: "<br>")
  }

  /// Text without markup: names may contain any character.
  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("*", with: "\\*")
      .replacing("_", with: "\\_").replacing("`", with: "\\`").replacing("@", with: "&#64;")
  }
}

extension EntityMappingExplanation {
  /// True if all properties are copied under their names.
  var isPlainCopy: Bool { effects.isEmpty }

  /// The changes to properties that are not just copied.
  fileprivate var effects: [String] {
    var effects = [filter.map { "only where \($0)" }, policy.map { "policy \($0)" }].compactMap(\.self)
    effects += properties.compactMap { property in
      switch property.treatment {
      case .copied, .rebuilt:
        property.reason == "by name" || property.inverse != nil
          ? nil : "\(property.name) ← \(property.value)"
      case .computed: "\(property.name) = \(property.value)"
      case .dropped: "\(property.name) is not migrated (\(property.reason))"
      case .defaulted, .empty: destinationEntity != nil && sourceEntity != nil ? "\(property.name) is new" : nil
      case .derived: nil
      }
    }
    if !droppedProperties.isEmpty { effects.append("drops \(droppedProperties.joined(separator: ", "))") }
    if !unreadProperties.isEmpty { effects.append("deletes \(unreadProperties.joined(separator: ", "))") }
    return effects
  }
}

extension String {
  fileprivate var firstLetterCapitalized: String { prefix(1).uppercased() + dropFirst() }
}
