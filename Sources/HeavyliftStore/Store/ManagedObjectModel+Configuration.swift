import HeavyliftModel

extension ManagedObjectModel {
  /// The entities of a configuration; none if there is no such configuration.
  func entityNames(of configuration: String) -> Set<String> {
    configurations.first { $0.name == configuration }?.entityNames ?? []
  }

  /// A name that was mistyped must not make a store without entities.
  func requireConfiguration(_ name: String) throws {
    guard !configurations.contains(where: { $0.name == name }) else { return }
    throw Diagnostic(
      .error, code: "store.unknown-configuration", problem: "the model has no configuration '\(name)'",
      remedy: configurations.map(\.name).suggestion(for: name, kind: "configuration"))
  }

  /// The model with the entities of one configuration alone; the whole model for nil.
  func restricted(to configuration: String?) -> ManagedObjectModel {
    guard let configuration else { return self }
    let members = entityNames(of: configuration)
    var model = self
    model.entities = entities.filter { members.contains($0.name) }
    return model
  }
}
