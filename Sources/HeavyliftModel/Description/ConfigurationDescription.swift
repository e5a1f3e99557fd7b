/// A named subset of a model's entities, so that different entities can be in different stores.
public struct ConfigurationDescription: Hashable, Sendable {
  public var name: String
  public var entityNames: Set<String>
  public var markup: Markup

  /// Creates a configuration.
  public init(name: String, entityNames: Set<String>, markup: Markup = Markup()) {
    self.name = name
    self.entityNames = entityNames
    self.markup = markup
  }
}
