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
