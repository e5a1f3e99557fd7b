import Heavylift
import HeavyliftMapping
import HeavyliftStore

/// Tells where the objects of entity mappings went.
enum Correspondence {
  /// As a migration wrote it down.
  case provenance(MigrationProvenance)
  /// As keys follow from keys, which is all that can be known without.
  case keys(KeyPlan)

  /// What came of a source object through the entity mapping at a place: `Z_ENT` and key.
  func destinations(
    of source: ManagedObject, mapping: Int, destinationEntity: Int?
  ) throws -> [(entity: Int, key: Int64)] {
    switch self {
    case .provenance(let provenance):
      return try provenance.destinations(ofKey: source.primaryKey, entityNumber: source.entityNumber, mapping: mapping)
    case .keys(let plan):
      guard let rule = plan.rules[mapping], let destinationEntity else { return [] }
      // Nothing came of what has a key too high.
      let (key, isTooFar) = source.primaryKey.addingReportingOverflow(rule.offset)
      return isTooFar ? [] : [(destinationEntity, key)]
    }
  }

  /// The source objects that an object may have come of: the place of the entity mapping, `Z_ENT` if it is known, and key.
  func sources(of destination: ManagedObject) throws -> [(mapping: Int, entity: Int?, key: Int64)] {
    switch self {
    case .provenance(let provenance):
      return try provenance.sources(ofKey: destination.primaryKey, entityNumber: destination.entityNumber).map {
        ($0.mapping, $0.entity, $0.key)
      }
    case .keys(let plan):
      return plan.rules.sorted { $0.key < $1.key }.map { ($0.key, nil, destination.primaryKey - $0.value.offset) }
    }
  }
}
