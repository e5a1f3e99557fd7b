import HeavyliftModel

extension ManagedObjectModel {
  /// The entities of a configuration; none if there is no such configuration.
  func entityNames(of configuration: String) -> Set<String> {
    configurations.first { $0.name == configuration }?.entityNames ?? []
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
