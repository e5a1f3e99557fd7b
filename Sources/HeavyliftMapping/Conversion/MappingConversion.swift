import HeavyliftExpression
import HeavyliftModel

/// Finds the shortest mapping model that completes to the same as another.
struct MappingConversion {
  private let original: MappingModel
  private let complete: CompleteMappingModel
  private let completion: MappingCompletion

  init(_ original: MappingModel, from source: ManagedObjectModel, to destination: ManagedObjectModel) {
    self.original = original
    completion = MappingCompletion(original, from: source, to: destination)
    complete = completion.complete()
  }

  func converted() -> MappingModel {
    let choices = zip(original.entityMappings, complete.entityMappings).map { written, complete in
      ConservativeCopy.allCases.map { EntityConversion(written, complete, copying: $0, in: completion) }
    }
    // One way of copying for the whole model; an entity mapping that is shorter in another way states its own.
    let costs = ConservativeCopy.allCases.indices.map { common in
      choices.reduce(0) { sum, ways in sum + Self.best(ways, common: common).cost }
    }
    let common = costs.indices.min { (costs[$0], $0) < (costs[$1], $1) } ?? 0
    var result = original
    result.copying = ConservativeCopy.allCases[common]
    result.source.name = original.source.name ?? completion.source.model.name
    result.destination.name = original.destination.name ?? completion.destination.model.name
    result.entityMappings = choices.map { ways in
      let (way, _) = Self.best(ways, common: common)
      var mapping = ways[way].mapping
      mapping.copying = way == common ? nil : ConservativeCopy.allCases[way]
      return mapping
    }
    return result
  }

  /// The shortest way for an entity mapping, where another way than the common one must be stated.
  private static func best(_ ways: [EntityConversion], common: Int) -> (way: Int, cost: Int) {
    var best = (way: common, cost: ways[common].cost)
    for way in ways.indices where ways[way].cost + 1 < best.cost { best = (way, ways[way].cost + 1) }
    return best
  }
}
