import HeavyliftModel

/// A relationship's slot in objects of exactly one entity, for comparing the keys of targets without creating objects.
package struct RelationshipSlot {
  package let slot: Int
  /// `Z_ENT` of the entity.
  package let entity: Int
  package let isToMany: Bool
  package let isOrdered: Bool
  /// `Z_ENT` of the entities that the relationship may lead to.
  package let targets: [Int]
}

extension PersistentStore {
  /// Returns the slot of a relationship; nil if the store does not have it.
  package func slot(ofRelationship name: String, entity entityName: String) -> RelationshipSlot? {
    guard let entity = runtime.byName[entityName] else { return nil }
    func make(_ slot: Int, _ relationship: RelationshipDescription, _ destination: Int) -> RelationshipSlot {
      RelationshipSlot(
        slot: slot, entity: entity.layout.number, isToMany: relationship.isToMany, isOrdered: relationship.isOrdered,
        targets: runtime.entities[destination].layout.numbersWithSubentities.sorted())
    }
    switch entity.relationshipSlot(named: name) {
    case .toOne(let slot)?: return make(slot, entity.toOnes[slot].description, entity.toOnes[slot].destination)
    case .toMany(let slot)?: return make(slot, entity.toManys[slot].description, entity.toManys[slot].destination)
    case .attribute?, nil: return nil
    }
  }
}

extension ManagedObject {
  /// The key of a to-one relationship's target, 0 for none.
  package func targetKey(at relationship: RelationshipSlot) throws -> Int64 { try targetKey(at: relationship.slot) }

  /// The keys of a to-many relationship's targets: in order if the relationship is ordered, otherwise ascending.
  package func targetKeys(at relationship: RelationshipSlot) throws -> [Int64] { try targetKeys(at: relationship.slot) }
}
