import HeavyliftModel

extension [CompleteMappingModel] {
  /// The data that mapping models do not migrate that run one after the other into the same store, in order of entity and
  /// property. Entities that they remove by name are not among it.
  ///
  /// ```swift
  /// for loss in [mapping].complete(from: music1, to: music2).losses { print(loss.entity, loss.property ?? "all objects") }
  /// ```
  public var losses: [MappingLoss] {
    guard let last else { return [] }
    let entities = last.sourceModel.entities
    let coverage = EntityCoverage(MappingIndex(last, MappingCheckEnvironment()))
    var losses = entities.indices.filter { coverage.isDropped($0) }.map {
      MappingLoss(entity: entities[$0].name, reason: .unmentioned)
    }
    // A property is lost if it is lost in each mapping model that migrates objects of the entity.
    var found: [LossPlace: [MappingLoss.Reason]] = [:]
    var takers: [String: Int] = [:]
    for complete in self {
      let index = MappingIndex(complete, MappingCheckEnvironment())
      var places: [LossPlace: MappingLoss.Reason] = [:]
      for (fact, properties) in GoneProperties(index).all() {
        let name = fact.mapping.sourceEntityName ?? ""
        for (property, isDropped) in properties {
          let place = LossPlace(entity: name, property: property.name)
          places[place] = isDropped ? .dropped : fact.isCustom ? .leftToPolicy : places[place] ?? .gone
        }
      }
      for (place, reason) in places { found[place, default: []].append(reason) }
      let sources = Set(
        complete.entityMappings.filter { $0.destinationEntityName != nil }.compactMap(\.sourceEntityName))
      for name in sources { takers[name, default: 0] += 1 }
    }
    for (place, reasons) in found where reasons.count == takers[place.entity] {
      let reason: MappingLoss.Reason =
        reasons.contains(.dropped) ? .dropped : reasons.contains(.leftToPolicy) ? .leftToPolicy : .gone
      losses.append(MappingLoss(entity: place.entity, property: place.property, reason: reason))
    }
    return losses.sorted { ($0.entity, $0.property ?? "") < ($1.entity, $1.property ?? "") }
  }
}

private struct LossPlace: Hashable {
  var entity: String
  var property: String
}
