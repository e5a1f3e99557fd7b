import HeavyliftMapping
import HeavyliftModel

/// The relationships of a hop's versions, as its mappings connect them.
struct LinkStructure {
  private let source: ManagedObjectModel
  private let destination: ManagedObjectModel
  private let mappings: [CompleteEntityMapping]

  init(_ mappings: [CompleteEntityMapping], from source: ManagedObjectModel, to destination: ManagedObjectModel) {
    (self.mappings, self.source, self.destination) = (mappings, source, destination)
  }

  /// True if each relationship keeps all its links, or is removed as a whole: it leads from and to the same objects, and
  /// has the same inverse, up to names and order.
  var isKept: Bool {
    var uses: [RelationshipEnd: Set<Bool>] = [:]
    for mapping in mappings {
      guard let old = mapping.sourceEntityName, let new = mapping.destinationEntityName else { continue }
      var used: Set<String> = []
      for relationship in relationships(of: new, in: destination) {
        switch mapping.origin(ofRelationship: relationship.name) {
        case .rebuilt(let name, let through):
          guard used.insert(name).inserted, let former = source.relationship(name, of: old),
            isSame(former, relationship, through: through)
          else { return false }
        case .unmapped(.notInSource), .unmapped(.noSource), .unmapped(.notStored):
          // Links could still come through the inverse.
          guard !isFilledByInverse(relationship) else { return false }
        case .written, .copied, .unmapped, nil: return false
        }
      }
      for relationship in relationships(of: old, in: source) {
        guard let end = source.end(of: relationship.name, entity: old) else { return false }
        uses[end, default: []].insert(used.contains(relationship.name))
      }
    }
    return uses.values.allSatisfy { $0.count == 1 }
  }

  private func isSame(_ old: RelationshipDescription, _ new: RelationshipDescription, through names: [String]) -> Bool {
    guard old.isToMany == new.isToMany, let oldTarget = old.destinationEntityName,
      let newTarget = new.destinationEntityName
    else { return false }
    let (oldInverse, newInverse) = (source.inverse(of: old), destination.inverse(of: new))
    guard (oldInverse == nil) == (newInverse == nil) else { return false }
    return mappings.allSatisfy { mapping in
      guard let entity = source.entity(named: mapping.sourceEntityName),
        let made = destination.entity(named: mapping.destinationEntityName)
      else { return true }
      guard source.entity(entity, isKindOf: oldTarget) else { return !destination.entity(made, isKindOf: newTarget) }
      guard destination.entity(made, isKindOf: newTarget), names.contains(mapping.name) else { return false }
      guard let oldInverse, let newInverse else { return true }
      guard case .rebuilt(oldInverse.name, _)? = mapping.origin(ofRelationship: newInverse.name) else { return false }
      return true
    }
  }

  private func isFilledByInverse(_ relationship: RelationshipDescription) -> Bool {
    guard let inverse = destination.inverse(of: relationship), let target = relationship.destinationEntityName else {
      return false
    }
    return mappings.contains { mapping in
      guard let made = destination.entity(named: mapping.destinationEntityName),
        destination.entity(made, isKindOf: target)
      else { return false }
      if case .unmapped? = mapping.origin(ofRelationship: inverse.name) { return false }
      return true
    }
  }

  private func relationships(of entity: String, in model: ManagedObjectModel) -> [RelationshipDescription] {
    model.entity(named: entity).map { model.allRelationships(of: $0).filter { !$0.isTransient } } ?? []
  }
}

extension CompleteEntityMapping {
  fileprivate func origin(ofRelationship name: String) -> PropertyMappingOrigin? {
    relationshipMappings.first { $0.name == name }?.origin
  }
}
