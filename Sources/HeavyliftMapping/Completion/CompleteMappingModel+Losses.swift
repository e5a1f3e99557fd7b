import HeavyliftModel

extension [CompleteMappingModel] {
  /// The data that these mapping models, which fill the same store, do not migrate, sorted by entity and property.
  /// Entities that they remove by name are excluded.
  ///
  /// ```swift
  /// for loss in [mapping].complete(from: music1, to: music2).losses { print(loss.entity, loss.property ?? "all objects") }
  /// ```
  package var losses: [MappingLoss] {
    guard let last else { return [] }
    let entities = last.sourceModel.entities
    var losses = last.facts.coverage.dropped.map {
      MappingLoss(entity: entities[$0].name, reason: .unmentioned)
    }
    // A property is lost if every mapping model that migrates objects of the entity loses it.
    var found: [LossPlace: [MappingLoss]] = [:]
    var takers: [String: Int] = [:]
    for complete in self {
      for loss in complete.facts.losses {
        found[LossPlace(entity: loss.entity, property: loss.property ?? ""), default: []].append(loss)
      }
      let sources = Set(
        complete.entityMappings.filter { $0.destinationEntityName != nil }.compactMap(\.sourceEntityName))
      for name in sources { takers[name, default: 0] += 1 }
    }
    for (place, found) in found where found.count == takers[place.entity] {
      let reasons = [MappingLoss.Reason.dropped, .leftToPolicy, .leftToFunction, .unread, .unstored, .gone]
      var loss =
        MappingLoss(
          entity: place.entity, property: place.property,
          reason: reasons.first { reason in found.contains { $0.reason == reason } } ?? .gone,
          entityMappings: found.flatMap(\.entityMappings), readers: found.flatMap(\.readers))
      loss.visits = found.flatMap(\.visits)
      losses.append(loss)
    }
    return losses.sorted { ($0.entity, $0.property ?? "") < ($1.entity, $1.property ?? "") }
  }
}

private struct LossPlace: Hashable {
  var entity: String
  var property: String
}

extension GoneProperties {
  /// One entry for each source property that an entity mapping of the mapping model does not migrate.
  func losses() -> [MappingLoss] {
    var losses: [LossPlace: MappingLoss] = [:]
    for (fact, properties) in all(coversAll: true) {
      let name = fact.mapping.sourceEntityName ?? ""
      for (property, isDropped) in properties {
        let place = LossPlace(entity: name, property: property.name)
        let readers = fact.source.map { self.readers(of: property, entity: $0) } ?? []
        let reason: MappingLoss.Reason =
          isKeptElsewhere(property, by: fact) ? .unread : isUnstored(property, in: fact) ? .unstored : .gone
        var loss = losses[place] ?? MappingLoss(entity: name, property: property.name, reason: reason)
        loss.readers = readers.map(\.name)
        loss.visits = fact.source.map { visits(of: property, entity: $0) } ?? []
        if isDropped {
          loss.reason = .dropped
        } else if fact.isCustom {
          loss.reason = .leftToPolicy
        } else if loss.reason != .leftToPolicy, fact.source.map(isHandedToFunction) == true {
          loss.reason = .leftToFunction
        }
        loss.entityMappings.append(fact.name)
        losses[place] = loss
      }
    }
    return Array(losses.values)
  }
}
