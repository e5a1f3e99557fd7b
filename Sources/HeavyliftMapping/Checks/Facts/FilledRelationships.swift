import HeavyliftModel

/// Which destination relationships get objects: setting one side of a relationship sets the other as well.
struct FilledRelationships {
  private let mapping: MappingIndex
  /// The entities whose mappings fill a relationship of that name.
  private let owners: [String: Set<Int>]

  /// - Parameter countsPolicies: whether a policy fills every relationship of its mapping, as it may.
  init(_ mapping: MappingIndex, countsPolicies: Bool = true) {
    self.mapping = mapping
    var owners: [String: Set<Int>] = [:]
    for property in mapping.properties {
      guard let relationship = property.relationship, let entity = property.owner.destination else { continue }
      let isFilled = property.complete.valueExpression != nil || (countsPolicies && property.owner.isCustom)
      if isFilled { owners[relationship.name, default: []].insert(entity) }
    }
    self.owners = owners
  }

  /// Whether a mapping of the entity at the other end, or of one that inherits from it, fills the inverse.
  func isFilledFromInverse(_ relationship: RelationshipDescription) -> Bool {
    guard let inverse = relationship.inverseName, let filled = owners[inverse],
      let entity = mapping.destination.entity(named: relationship.destinationEntityName)
    else { return false }
    return filled.contains(entity) || filled.contains { mapping.destination.areRelated($0, entity) }
  }
}
