import HeavyliftModel

extension ManagedObjectModel: ModelElement {
  static var blank: ManagedObjectModel { ManagedObjectModel() }

  static let documentType = "com.apple.IDECoreDataModeler.DataModel"

  static let rules: AttributeRules<ManagedObjectModel> = [
    .kept("name"),
    AttributeRule(name: "type", read: readType, write: { _ in documentType }),
    AttributeRule(name: "documentVersion", read: readDocumentVersion, write: { _ in "1.0" }),
    .kept("lastSavedToolsVersion"),
    .kept("systemVersion"),
    .kept("minimumToolsVersion") { _ in "Automatic" },
    .kept("sourceLanguage") { _ in "Swift" },
    .kept("macOSVersion"),
    .kept("iOSVersion"),
    .kept("usedWithCloudKit"),
    .kept("usedWithSwiftData"),
    AttributeRule(
      name: "userDefinedModelVersionIdentifier",
      read: { model, written, _ in
        // An empty identifier counts: stores of such models record it.
        model.versionIdentifiers = Set(
          written.value.split(separator: ",", omittingEmptySubsequences: false).map(String.init))
      },
      write: { $0.versionIdentifiers.isEmpty ? nil : $0.versionIdentifiers.sorted().joined(separator: ",") }),
  ]

  @Sendable private static func readType(
    _ model: inout ManagedObjectModel, _ written: XMLAttribute, _ findings: inout ModelFindings
  ) {
    guard written.value != documentType else { return }
    findings.report(
      .warning, "unknown-document-type", "the model has the unknown type '\(written.value)'",
      "it is read as '\(documentType)'", at: written.valueLocation)
  }

  @Sendable private static func readDocumentVersion(
    _ model: inout ManagedObjectModel, _ written: XMLAttribute, _ findings: inout ModelFindings
  ) {
    guard written.value != "1.0" else { return }
    findings.report(
      .warning, "unknown-document-version", "the model has the unknown document version '\(written.value)'",
      "it is read as '1.0', the only known version", at: written.valueLocation)
  }
}
