import HeavyliftMapping
import HeavyliftStore

/// An entity mapping with its position in a migration.
///
/// This is a class so that passing it along for every value copies nothing.
final class PlacedMapping {
  let place: Int
  /// The index of its mapping model.
  let stage: Int
  let complete: CompleteEntityMapping
  /// The source entity's `Z_ENT`.
  let sourceNumber: Int?
  /// The destination entity's `Z_ENT`.
  let destinationNumber: Int?

  init(place: Int, stage: Int, complete: CompleteEntityMapping, sourceNumber: Int?, destinationNumber: Int?) {
    self.place = place
    self.stage = stage
    self.complete = complete
    self.sourceNumber = sourceNumber
    self.destinationNumber = destinationNumber
  }

  /// All entity mappings in the order in which they run.
  static func all(
    of models: [CompleteMappingModel], source: PersistentStore, destination: PersistentStore
  ) -> [PlacedMapping] {
    var placed: [PlacedMapping] = []
    for (stage, model) in models.enumerated() {
      for complete in model.entityMappings {
        placed.append(
          PlacedMapping(
            place: placed.count, stage: stage, complete: complete,
            sourceNumber: source.layout.entity(named: complete.sourceEntityName)?.number,
            destinationNumber: destination.layout.entity(named: complete.destinationEntityName)?.number))
      }
    }
    return placed
  }

  /// Returns true if the mapping applies to an object: objects of other entities have their own mappings.
  func takes(_ source: ManagedObject, _ correspondence: Correspondence) -> Bool {
    if case .keys = correspondence { return source.entityNumber == sourceNumber }
    return true
  }
}
