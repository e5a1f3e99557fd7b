import HeavyliftModel

/// No source entity's objects are lost without a word.
struct DroppedEntity: MappingRule {
  struct Mistake: MappingMistake {
    static let code = "mapping.dropped-entity"
    var entity: String
    /// What the entity is in the destination model, if it is there.
    var successor: String?
    /// The entity mapping that takes objects of an entity that this one inherits from.
    var mappingOfParent: (mapping: String, entity: String)?
    var location: SourceLocation?
  }

  func mistakes(in mapping: MappingIndex) -> [Mistake] {
    let coverage = EntityCoverage(mapping)
    var successors: [Int: String] = [:]
    for (number, entity) in mapping.destination.model.entities.enumerated() where coverage.isUnfilled(number) {
      if let origin = coverage.origin(of: number) { successors[origin] = successors[origin] ?? entity.name }
    }
    return mapping.source.model.entities.indices.compactMap { entity in
      guard coverage.isDropped(entity) else { return nil }
      let parent = mappingOfParent(entity, in: mapping)
      return Mistake(
        entity: mapping.source.model.entities[entity].name, successor: successors[entity],
        mappingOfParent: parent.map { ($0.name, $0.mapping.sourceEntityName ?? "") },
        location: parent?.location(of: "source") ?? mapping.location)
    }
  }

  /// The nearest ancestor's mapping: a mapping takes objects of its very entity.
  private func mappingOfParent(_ entity: Int, in mapping: MappingIndex) -> EntityMappingFact? {
    var next = mapping.source.entity(named: mapping.source.model.entities[entity].superentityName)
    while let parent = next {
      if let found = mapping.mappings(from: parent).first { return found }
      next = mapping.source.entity(named: mapping.source.model.entities[parent].superentityName)
    }
    return nil
  }
}

extension DroppedEntity.Mistake {
  var severity: Diagnostic.Severity { .warning }

  var problem: String {
    let name = entity.quotedName
    if let (mapping, parent) = mappingOfParent {
      return "entity mapping \(mapping.quotedName) takes no objects of \(name), which inherits from "
        + "\(parent.quotedName): no entity mapping does"
    }
    return successor == nil
      ? "no entity mapping takes the objects of source entity \(name)"
      : "no entity mapping takes the objects of source entity \(name), which the destination model still has"
  }

  func remedy(_ names: MappingNames) -> String? {
    let remove = "'<entity-mapping source=\"\(entity)\" type=\"remove\"/>'"
    guard let successor else { return "write \(remove) if they are to go" }
    return "write '<entity-mapping source=\"\(entity)\" destination=\"\(successor)\"/>', or \(remove) if they are to go"
  }
}
