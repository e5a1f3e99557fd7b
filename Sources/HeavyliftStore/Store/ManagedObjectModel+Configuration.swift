import HeavyliftModel

extension ManagedObjectModel {
  /// Returns the entities of a configuration; empty if there is no such configuration.
  package func entityNames(of configuration: String) -> Set<String> {
    configurations.first { $0.name == configuration }?.entityNames ?? []
  }

  /// Throws for an unknown configuration: a typo must not create a store without entities.
  package func requireConfiguration(_ name: String) throws {
    guard !configurations.contains(where: { $0.name == name }) else { return }
    throw Diagnostic(
      .error, code: "store.unknown-configuration", problem: "the model has no configuration '\(name)'",
      remedy: configurations.map(\.name).suggestion(for: name, kind: "configuration"))
  }

  /// Returns the model with only the entities of a configuration; the whole model for nil.
  package func restricted(to configuration: String?) -> ManagedObjectModel {
    guard let configuration else { return self }
    let members = entityNames(of: configuration)
    var model = self
    model.entities = entities.filter { members.contains($0.name) }
    return model
  }
}
