import HeavyliftModel

/// The source entities that entity mappings name, and those that misspelt names were probably meant to be.
struct MentionedEntities {
  private let entities: Set<Int>

  init(_ mappings: [EntityMappingDescription], source: ModelIndex) {
    var entities: Set<Int> = []
    var presumption = PresumedNames()
    for mapping in mappings {
      if let name = mapping.sourceEntityName {
        // A misspelt name is a mistake of its own; copying the entity that was meant would only add others.
        if let entity = source.entity(named: name) ?? presumption.entity(for: name, in: source) {
          entities.insert(entity)
        }
      }
      if let expression = mapping.sourceExpression {
        entities.formUnion(expression.fetchedEntities.compactMap { source.entity(named: $0) })
      }
    }
    self.entities = entities
  }

  func contains(_ entity: Int) -> Bool { entities.contains(entity) }
}
