import Heavylift
import HeavyliftStore

/// The rule that derives the keys of an entity mapping's objects from the keys of their sources, if the rule has no
/// exceptions.
struct KeyRelation {
  /// The source entity's `Z_ENT`.
  let sourceNumber: Int
  let destinationNumber: Int
  let offset: Int64
  /// The keys of the source objects that have counterparts; `nil` if no provenance was recorded.
  let sources: KeySet?
  /// The keys that exist in the destination.
  let destinations: KeySet

  /// Returns the key of a source object's counterpart; `nil` if there is none, or if it no longer exists.
  func destinationKey(ofSource key: Int64) -> Int64? {
    if let sources, !sources.contains(key) { return nil }
    let (made, isTooFar) = key.addingReportingOverflow(offset)
    return !isTooFar && destinations.contains(made) ? made : nil
  }
}

/// The rules of all entity mappings.
struct KeyRelations {
  /// The rules by the index of the entity mapping; a mapping has none if keys alone are not enough.
  let byPlace: [Int: KeyRelation]

  init(_ mappings: [PlacedMapping], _ correspondence: Correspondence, destinations: StoredKeys) throws {
    var byPlace: [Int: KeyRelation] = [:]
    var written: [Int: ProvenanceRule] = [:]
    if case .provenance(let provenance) = correspondence { written = try provenance.rules() }
    for mapping in mappings {
      guard let sourceNumber = mapping.sourceNumber, let destinationNumber = mapping.destinationNumber else { continue }
      let destinations = destinations.keys(ofEntity: destinationNumber)
      switch correspondence {
      case .keys(let plan):
        guard let rule = plan.rules[mapping.place] else { continue }
        byPlace[mapping.place] = KeyRelation(
          sourceNumber: sourceNumber, destinationNumber: destinationNumber, offset: rule.offset, sources: nil,
          destinations: destinations)
      case .provenance:
        // An association that is not recorded does not exist.
        let rule =
          written[mapping.place]
          ?? ProvenanceRule(sourceEntity: sourceNumber, destinationEntity: destinationNumber, offset: 0)
        guard !rule.hasExceptions, rule.sourceEntity == sourceNumber, rule.destinationEntity == destinationNumber
        else { continue }
        byPlace[mapping.place] = KeyRelation(
          sourceNumber: sourceNumber, destinationNumber: destinationNumber, offset: rule.offset, sources: rule.sources,
          destinations: destinations)
      }
    }
    self.byPlace = byPlace
  }
}
