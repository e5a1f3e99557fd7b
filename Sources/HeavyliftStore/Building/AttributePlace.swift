import HeavyliftModel

/// Where new objects of an entity hold an attribute, found once for many objects.
package final class AttributePlace {
  private let entity: EntityRuntime
  let attribute: EntityRuntime.Attribute
  let slot: Int
  /// Whether any value of the attribute's type may be held as it is.
  let isPlain: Bool

  /// Nil where there is no such attribute, or it is not to be written.
  package init?(of name: String, entity entityName: String, in store: PersistentStore) {
    guard let entity = store.runtime.byName[entityName], case .attribute(let slot)? = entity.slots[name],
      !entity.attributes[slot].isDerived
    else { return nil }
    (self.entity, self.slot, attribute) = (entity, slot, entity.attributes[slot])
    isPlain = attribute.type != .composite && attribute.type != .undefined
  }

  func isOfSameEntity(as other: AttributePlace) -> Bool { entity === other.entity }

  /// Whether the object is of the entity, or of one that inherits from it.
  func fits(_ object: ManagedObject) -> Bool {
    object.runtime === entity || object.runtime.ancestors.contains(entity.shapeOwner)
  }

  /// Sets the attribute to a value that was converted to its type.
  package func set(_ held: Value, of object: ManagedObject) throws {
    // Nobody else knows of a new object, and there is nothing that a change would have to be compared with.
    guard isPlain, object.isNew, object.externalFiles.isEmpty, fits(object) else {
      return try object.setValue(held, forKey: attribute.description.name)
    }
    object.setHeld(held, at: slot)
  }
}
