import HeavyliftModel

extension RelationshipDescription: ModelElement {
  static var blank: RelationshipDescription {
    RelationshipDescription(name: "", destinationEntityName: nil, isOptional: false)
  }

  static let rules: AttributeRules<RelationshipDescription> = [
    .text("name", \.name),
    .flag("optional", \.isOptional),
    .flag("transient", \.isTransient),
    AttributeRule(
      name: "toMany",
      read: { relationship, written, findings in
        if written.flag(&findings) == false { relationship.maxCount = 1 }
      },
      write: { $0.isToMany ? "YES" : nil }),
    .count("minCount", \.minCount),
    .count("maxCount", \.maxCount),
    AttributeRule(name: "deletionRule", read: readDeleteRule, write: { $0.deleteRule.modelName }),
    .flag("ordered", \.isOrdered),
    .text("destinationEntity", \.destinationEntityName),
    .text("inverseName", \.inverseName),
    .text("inverseEntity", \.inverseEntityName),
    .flag("indexed", \.isIndexed),
    .flag("spotlightIndexingEnabled", \.isIndexedBySpotlight),
    .flag("storedInTruthFile", \.isStoredInExternalRecord),
    .text("versionHashModifier", \.versionHashModifier),
    .text("elementID", \.renamingIdentifier),
    .kept("syncable"),
  ]

  @Sendable private static func readDeleteRule(
    _ relationship: inout RelationshipDescription, _ written: XMLAttribute, _ findings: inout ModelFindings
  ) {
    if let rule = DeleteRule(modelName: written.value) {
      relationship.deleteRule = rule
    } else {
      let known = DeleteRule.allCases.map(\.modelName)
      findings.reject(written, "unknown-delete-rule", known.suggestion(for: written.value, kind: "delete rule"))
    }
  }
}
