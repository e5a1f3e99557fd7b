import HeavyliftModel

extension ManagedObjectModel {
  /// The model with the entities of one configuration alone; the whole model for nil.
  func restricted(to configuration: String?) -> ManagedObjectModel {
    guard let configuration, let members = configurations.first(where: { $0.name == configuration })?.entityNames else {
      return self
    }
    var model = self
    model.entities = entities.filter { members.contains($0.name) }
    return model
  }
}
