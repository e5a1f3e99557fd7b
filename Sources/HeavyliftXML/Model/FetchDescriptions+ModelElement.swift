import HeavyliftModel

extension FetchedPropertyDescription: ModelElement {
  static var blank: FetchedPropertyDescription {
    FetchedPropertyDescription(name: "", fetchRequest: nil, isOptional: false)
  }

  static let rules: AttributeRules<FetchedPropertyDescription> = [
    .text("name", \.name),
    .flag("optional", \.isOptional),
    .flag("transient", \.isTransient, otherwise: true),
    .text("versionHashModifier", \.versionHashModifier),
    .text("elementID", \.renamingIdentifier),
    .kept("syncable"),
  ]
}

extension FetchRequestDescription: ModelElement {
  static var blank: FetchRequestDescription { FetchRequestDescription(name: "", entityName: nil) }

  // Xcode omits flags that the user never changed; its compiler then uses Core Data's defaults.
  static let rules: AttributeRules<FetchRequestDescription> = [
    .text("name", \.name),
    .text("entity", \.entityName),
    .text("predicateString", \.predicateString),
    AttributeRule(
      name: "resultType", read: readResultType,
      write: { $0.resultType == .managedObjects ? nil : String($0.resultType.rawValue) }),
    .count("fetchLimit", \.fetchLimit),
    .count("fetchBatchSize", \.fetchBatchSize),
    .flag("includeSubentities", \.includesSubentities, otherwise: true),
    .flag("includePropertyValues", \.includesPropertyValues, otherwise: true),
    .flag("includesPendingChanges", \.includesPendingChanges, otherwise: true),
    .flag("returnObjectsAsFaults", \.returnsObjectsAsFaults, otherwise: true),
    .flag("returnDistinctResults", \.returnsDistinctResults, otherwise: false),
  ]

  @Sendable private static func readResultType(
    _ request: inout FetchRequestDescription, _ written: XMLAttribute, _ findings: inout ModelFindings
  ) {
    if let type = Int(written.value).flatMap(ResultType.init) {
      request.resultType = type
    } else {
      findings.reject(
        written, "unknown-result-type", "write 0 for objects, 1 for object IDs, 2 for dictionaries, 4 for a count")
    }
  }
}
