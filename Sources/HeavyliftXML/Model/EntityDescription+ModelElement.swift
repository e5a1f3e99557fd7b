import HeavyliftModel

extension EntityDescription: ModelElement {
  static var blank: EntityDescription { EntityDescription(name: "") }

  static let rules: AttributeRules<EntityDescription> = [
    .text("name", \.name),
    .text("representedClassName", \.managedObjectClassName),
    .flag("isAbstract", \.isAbstract),
    .text("parentEntity", \.superentityName),
    .text("versionHashModifier", \.versionHashModifier),
    .text("elementID", \.renamingIdentifier),
    .kept("syncable") { _ in "YES" },
    .kept("codeGenerationType"),
    .kept("coreSpotlightDisplayNameExpression"),
  ]
}

extension ConfigurationDescription: ModelElement {
  static var blank: ConfigurationDescription { ConfigurationDescription(name: "", entityNames: []) }

  static let rules: AttributeRules<ConfigurationDescription> = [
    .text("name", \.name),
    .kept("usedWithCloudKit"),
    .kept("usedWithSwiftData"),
  ]
}

extension CompositeDescription: ModelElement {
  static var blank: CompositeDescription { CompositeDescription(name: "", elements: []) }

  static let rules: AttributeRules<CompositeDescription> = [.text("name", \.name)]
}
