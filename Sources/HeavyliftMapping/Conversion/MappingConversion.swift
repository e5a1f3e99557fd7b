import HeavyliftExpression
import HeavyliftModel

/// Finds the shortest mapping model with the same effect as another.
struct MappingConversion {
  private let original: MappingModel
  private let complete: CompleteMappingModel
  private let completion: MappingCompletion

  init(_ original: MappingModel, from source: ManagedObjectModel, to destination: ManagedObjectModel) {
    self.original = original
    completion = MappingCompletion(original, from: source, to: destination)
    complete = completion.complete()
  }

  /// Returns the conversion, with a removal for each entity that the original drops only by not mentioning it.
  func converted() -> MappingModel {
    let choices = zip(original.entityMappings, complete.entityMappings).map { written, complete in
      ConservativeCopy.allCases.map { EntityConversion(written, complete, copying: $0, in: completion) }
    }
    let explicit = original.writingOutRemovals(from: completion.source.model, to: completion.destination.model)
    // Chooses one copying mode for the whole model; an entity mapping that is shorter in another mode sets its own.
    let costs = ConservativeCopy.allCases.indices.map { common in
      choices.reduce(0) { sum, ways in sum + Self.best(ways, common: common).cost }
    }
    let possible = costs.indices.filter { copiesSameEntities(explicit, ConservativeCopy.allCases[$0]) }
    let common = possible.min { (costs[$0], $0) < (costs[$1], $1) } ?? 0
    var result = explicit
    result.copying = ConservativeCopy.allCases[common]
    result.source.name = original.source.name ?? completion.source.model.name
    result.destination.name = original.destination.name ?? completion.destination.model.name
    for (place, ways) in choices.enumerated() {
      let (way, _) = Self.best(ways, common: common)
      let drops = explicit.entityMappings[place].droppedProperties
      result.entityMappings[place] = ways[way].mapping
      result.entityMappings[place].droppedProperties = drops
      result.entityMappings[place].copying = way == common ? nil : ConservativeCopy.allCases[way]
    }
    return result
  }

  /// Returns true if another copying mode cannot change which entities are copied implicitly, or how.
  private func copiesSameEntities(_ mapping: MappingModel, _ copying: ConservativeCopy) -> Bool {
    if mapping.copying == copying { return true }
    var other = mapping
    other.copying = copying
    // The copying mode also applies to implied mappings.
    return complete.entityMappings.allSatisfy { $0.origin == .written }
      && ImpliedMappings(other, after: [], completion.pair)
        .mappings.isEmpty
  }

  /// Returns the cheapest copying mode for an entity mapping; a mode other than the common one costs 1 more, because it
  /// must be written.
  private static func best(_ ways: [EntityConversion], common: Int) -> (way: Int, cost: Int) {
    var best = (way: common, cost: ways[common].cost)
    for way in ways.indices where ways[way].cost + 1 < best.cost { best = (way, ways[way].cost + 1) }
    return best
  }
}
