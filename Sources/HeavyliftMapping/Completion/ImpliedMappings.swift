import HeavyliftModel

/// The implied entity mappings of a mapping model, which copy the source entities that it does not mention.
struct ImpliedMappings {
  /// The implied mappings, sorted by the destination entity's name.
  let mappings: [EntityMappingDescription]

  /// - Parameter earlier: The entity mappings of earlier mapping models.
  init(_ model: MappingModel, after earlier: [EntityMappingDescription], _ pair: ModelPair) {
    let (source, destination) = (pair.source, pair.destination)
    guard model.unmentionedEntities == .copied, model.copying != .listed else {
      mappings = []
      return
    }
    let mentioned = MentionedEntities(model.entityMappings + earlier, source: source)
    var names = Set((model.entityMappings + earlier).map(\.name))
    let counterparts = EntityCounterparts(model.copying, pair)
    let pairs = source.model.entities.indices.compactMap { old -> (old: String, new: String)? in
      guard !source.model.entities[old].isAbstract, !mentioned.contains(old), let new = counterparts[old],
        !destination.model.entities[new].isAbstract
      else { return nil }
      return (source.model.entities[old].name, destination.model.entities[new].name)
    }
    mappings = pairs.sorted { $0.new < $1.new }.map { old, new in
      // Messages point to the element of the mapping model, the only place where the author can add something.
      var mapping = EntityMappingDescription(
        source: old, destination: new, markup: MappingMarkup(location: model.markup.location))
      let derived = mapping.name
      var number = 2
      while !names.insert(mapping.name).inserted {
        mapping.givenName = "\(derived)\(number)"
        number += 1
      }
      return mapping
    }
  }
}

/// The destination counterpart of each source entity, by name or by renaming identifier.
struct EntityCounterparts {
  private let successors: [Int?]

  init(_ copying: ConservativeCopy, _ pair: ModelPair) {
    successors =
      copying == .everything
      ? pair.successors : pair.source.model.entities.map { pair.destination.entity(named: $0.name) }
  }

  subscript(entity: Int) -> Int? { successors[entity] }
}
