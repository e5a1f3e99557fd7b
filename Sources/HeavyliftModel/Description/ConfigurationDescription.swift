/// A named subset of a model's entities, so that different entities can be in different stores.
public struct ConfigurationDescription: Hashable, Sendable {
  /// The name that a store is opened with.
  public var name: String
  /// The entities whose objects a store of this configuration holds.
  public var entityNames: Set<String>
  /// The spelling in the file. Not compared by `==`.
  public var markup: Markup

  /// Creates a configuration.
  public init(name: String, entityNames: Set<String>, markup: Markup = Markup()) {
    self.name = name
    self.entityNames = entityNames
    self.markup = markup
  }
}
