import Heavylift
import HeavyliftMapping
import HeavyliftStore

/// The pairs of source and destination objects of entity mappings.
enum Correspondence {
  /// The pairs that a migration recorded.
  case provenance(MigrationProvenance)
  /// The pairs derived from keys, if nothing was recorded.
  case keys(KeyPlan)

  /// Returns the counterparts of a source object through the entity mapping at an index, each with its `Z_ENT` and key.
  func destinations(
    of source: ManagedObject, mapping: Int, destinationEntity: Int?
  ) throws -> [(entity: Int, key: Int64)] {
    switch self {
    case .provenance(let provenance):
      return try provenance.destinations(ofKey: source.primaryKey, entityNumber: source.entityNumber, mapping: mapping)
    case .keys(let plan):
      guard let rule = plan.rules[mapping], let destinationEntity else { return [] }
      // A key that is too large has no counterpart.
      let (key, isTooFar) = source.primaryKey.addingReportingOverflow(rule.offset)
      return isTooFar ? [] : [(destinationEntity, key)]
    }
  }

  /// Returns the possible sources of an object, each with the index of its entity mapping, its `Z_ENT` if known, and
  /// its key.
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
