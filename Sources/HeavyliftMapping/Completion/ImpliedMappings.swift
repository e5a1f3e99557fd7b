import HeavyliftModel

/// The implied entity mappings of a mapping model, which copy the source entities that it does not mention.
struct ImpliedMappings {
  /// The implied mappings, sorted by the destination entity's name.
  let mappings: [EntityMappingDescription]

  /// - Parameter earlier: The entity mappings of earlier mapping models.
  init(
    _ model: MappingModel, after earlier: [EntityMappingDescription], source: ModelIndex, destination: ModelIndex
  ) {
    guard model.unmentionedEntities == .copied, model.copying != .listed else {
      mappings = []
      return
    }
    let mentioned = MentionedEntities(model.entityMappings + earlier, source: source)
    var names = Set((model.entityMappings + earlier).map(\.name))
    let counterparts = EntityCounterparts(model.copying, model.succession, source: source, destination: destination)
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
  private let successors: [Int: Int]

  init(_ copying: ConservativeCopy, _ succession: Succession?, source: ModelIndex, destination: ModelIndex) {
    var successors: [Int: Int] = [:]
    if copying == .everything {
      for pair in Succession.counterparts(source, destination, succession) { successors[pair.old] = pair.new }
    } else {
      for (number, entity) in source.model.entities.enumerated() {
        successors[number] = destination.entity(named: entity.name)
      }
    }
    self.successors = successors
  }

  /// The counterparts whatever the mapping copies.
  init(_ mapping: MappingIndex) {
    self.init(
      .everything, mapping.complete.mappingModel.succession, source: mapping.source, destination: mapping.destination)
  }

  subscript(entity: Int) -> Int? { successors[entity] }

  /// The source entities, by their destination counterparts.
  var origins: [Int: Int] {
    Dictionary(successors.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
  }
}
