import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

extension MigrationPlanner {
  /// The data that mapping models do not migrate, as far as the source has any.
  ///
  /// A source that is not written yet has nothing to count in: its losses have no numbers but those of objects.
  func counted(_ losses: [MappingLoss]) throws -> [MigrationLoss] {
    try losses.compactMap { loss in
      let objects = sourceCounts[loss.entity] ?? 0
      guard objects > 0 else { return nil }
      guard let property = loss.property else {
        return MigrationLoss(entity: loss.entity, reason: loss.reason, unit: .objects, count: objects)
      }
      let isRelationship = sourceModel.relationship(property, of: loss.entity) != nil
      let count = viewed == nil ? try sourceStore.count(of: property, entity: loss.entity) : nil
      if count == 0 { return nil }
      return MigrationLoss(
        entity: loss.entity, property: property, reason: loss.reason, unit: isRelationship ? .links : .values,
        count: count)
    }
  }
}
