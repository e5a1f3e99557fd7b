import HeavyliftModel

/// The source entities that entity mappings take, including guesses for misspelled names.
struct MentionedEntities {
  private let entities: Set<Int>

  init(_ mappings: [EntityMappingDescription], source: ModelIndex) {
    var entities: Set<Int> = []
    var presumption = PresumedNames()
    for mapping in mappings {
      if let name = mapping.sourceEntityName {
        // A misspelled name is reported on its own; copying the intended entity would only add more mistakes.
        if let entity = source.entity(named: name) ?? presumption.entity(for: name, in: source) {
          entities.insert(entity)
        }
      }
      entities.formUnion(mapping.takenEntities(in: source))
    }
    self.entities = entities
  }

  func contains(_ entity: Int) -> Bool { entities.contains(entity) }
}
