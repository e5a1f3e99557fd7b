import HeavyliftModel

extension FetchIndexDescription: ModelElement {
  static var blank: FetchIndexDescription { FetchIndexDescription(name: "", elements: []) }

  static let rules: AttributeRules<FetchIndexDescription> = [
    .text("name", \.name),
    .text("partialIndexPredicate", \.partialIndexPredicate),
  ]
}

extension FetchIndexDescription.Element: ModelElement {
  static var blank: FetchIndexDescription.Element { FetchIndexDescription.Element(propertyName: nil) }

  static let rules: AttributeRules<FetchIndexDescription.Element> = [
    .text("property", \.propertyName),
    .text("expression", \.expression),
    .kept("expressionType"),
    AttributeRule(name: "type", read: readType, write: { $0.collationType == .rTree ? "RTree" : "Binary" }),
    AttributeRule(name: "order", read: readOrder, write: { $0.isAscending ? "ascending" : "descending" }),
  ]

  @Sendable private static func readType(
    _ element: inout FetchIndexDescription.Element, _ written: XMLAttribute, _ findings: inout ModelFindings
  ) {
    switch written.value.lowercased() {
    case "binary": element.collationType = .binary
    case "rtree": element.collationType = .rTree
    default:
      // Some real files have the attribute's type here, which is no reason to reject the model.
      findings.report(
        .warning, "unknown-index-type", "\(findings.subject) has invalid type=\"\(written.value)\"",
        "it is read as Binary: write Binary or RTree", at: written.valueLocation)
    }
  }

  @Sendable private static func readOrder(
    _ element: inout FetchIndexDescription.Element, _ written: XMLAttribute, _ findings: inout ModelFindings
  ) {
    switch written.value {
    case "ascending": element.isAscending = true
    case "descending": element.isAscending = false
    default: findings.reject(written, "unknown-order", "write ascending or descending")
    }
  }
}
