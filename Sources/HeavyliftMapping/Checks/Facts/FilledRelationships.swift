import HeavyliftModel

/// Destination relationships that get objects. Setting one side of a relationship also sets its inverse.
struct FilledRelationships: Sendable {
  private let destination: ModelIndex
  /// The entities whose mappings fill a relationship, by the relationship's name.
  private let owners: [String: Set<Int>]

  /// - Parameter countsPolicies: True to assume that a policy fills every relationship of its mapping.
  init(_ facts: MappingFacts, countsPolicies: Bool = true) {
    destination = facts.destination
    var owners: [String: Set<Int>] = [:]
    for property in facts.properties {
      guard let relationship = property.relationship, let entity = property.owner.destination else { continue }
      let isFilled = property.complete.valueExpression != nil || (countsPolicies && property.owner.isCustom)
      if isFilled { owners[relationship.name, default: []].insert(entity) }
    }
    self.owners = owners
  }

  /// Returns true if a mapping of the entity at the other end, or of one of its sub-entities, fills the inverse.
  func isFilledFromInverse(_ relationship: RelationshipDescription) -> Bool {
    guard let inverse = destination.model.inverse(of: relationship)?.name, let filled = owners[inverse],
      let entity = destination.entity(named: relationship.destinationEntityName)
    else { return false }
    return filled.contains(entity) || filled.contains { destination.areRelated($0, entity) }
  }
}
