import HeavyliftModel

/// The slot of an attribute in new objects of an entity, looked up once for many objects.
package final class AttributeSlot {
  let entity: EntityRuntime
  let attribute: EntityRuntime.Attribute
  let slot: Int
  /// True if the slot can hold every value of the attribute's type without further checks.
  let isPlain: Bool

  /// Returns nil if the entity does not have the attribute, or if it is derived.
  package init?(of name: String, entity entityName: String, in store: PersistentStore) {
    guard let entity = store.runtime.byName[entityName], case .attribute(let slot)? = entity.slots[name],
      !entity.attributes[slot].isDerived
    else { return nil }
    (self.entity, self.slot, attribute) = (entity, slot, entity.attributes[slot])
    isPlain = attribute.type != .composite && attribute.type != .undefined
  }

  func isOfSameEntity(as other: AttributeSlot) -> Bool { entity === other.entity }

  /// Returns true if the object is of the entity or one of its sub-entities.
  func fits(_ object: ManagedObject) -> Bool {
    object.runtime === entity || object.runtime.ancestors.contains(entity.shapeOwner)
  }

  /// Sets the attribute to a value that was converted to its type.
  package func set(_ held: Value, of object: ManagedObject) throws {
    // A new object has no stored value with which a change would be compared.
    guard isPlain, object.isNew, !object.hasExternalFiles, fits(object) else {
      return try object.setValue(held, forKey: attribute.description.name)
    }
    object.setHeld(held, at: slot)
  }
}

/// A relationship's slot in objects of exactly one entity, for comparing the keys of targets without creating objects.
package struct RelationshipSlot {
  let slot: Int
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
