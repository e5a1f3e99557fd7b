import HeavyliftModel

/// The entities that the two stores of a migration contain: all of their models, or those of a configuration.
package struct ContainedEntities {
  private let source: Set<String>
  private let destination: Set<String>
  private let destinationModel: ManagedObjectModel

  package init(source: Set<String>, destination: Set<String>, of destinationModel: ManagedObjectModel) {
    (self.source, self.destination, self.destinationModel) = (source, destination, destinationModel)
  }

  /// Returns the mapping models without the entity mappings of entities in other stores, and without the relationships
  /// that lead to their objects.
  package func limit(_ models: [CompleteMappingModel]) -> [CompleteMappingModel] {
    let names = Set(models.flatMap(\.entityMappings).filter(isContained).map(\.name))
    func limit(_ mappings: [CompleteEntityMapping]) -> [CompleteEntityMapping] {
      mappings.filter(isContained).map { mapping in
        var limited = mapping
        limited.relationshipMappings.removeAll { isOutside($0, of: mapping, names) }
        return limited
      }
    }
    return models.map { model in
      var limited = model
      limited.entityMappings = limit(model.entityMappings)
      limited.earlierEntityMappings = limit(model.earlierEntityMappings)
      return limited
    }
  }

  /// Returns true if an entity mapping takes objects from the source whose counterparts belong in another store.
  package func losesObjects(_ mapping: CompleteEntityMapping) -> Bool {
    guard let old = mapping.sourceEntityName, let new = mapping.destinationEntityName else { return false }
    return source.contains(old) && !destination.contains(new)
  }

  private func isContained(_ mapping: CompleteEntityMapping) -> Bool {
    mapping.sourceEntityName.map(source.contains) ?? true
      && mapping.destinationEntityName.map(destination.contains) ?? true
  }

  private func isOutside(
    _ property: CompletePropertyMapping, of mapping: CompleteEntityMapping, _ names: Set<String>
  ) -> Bool {
    if let through = property.valueExpression?.counterpartsRequest?.mapping, !names.contains(through) {
      return true
    }
    guard let entity = destinationModel.entity(named: mapping.destinationEntityName),
      let relationship = destinationModel.allRelationships(of: entity).first(where: { $0.name == property.name }),
      let target = relationship.destinationEntityName
    else { return false }
    return !destination.contains(target)
  }
}
