import HeavyliftModel

/// Copies one attribute from objects of one store into new objects of another, made ready once for many objects.
///
/// A value in an external file stays there: the file is taken over as a whole, without its bytes being read.
package final class AttributeTransfer {
  private let source: EntityRuntime
  private let sourceSlot: Int
  private let place: AttributePlace
  private let isExact: Bool
  private let keepsFiles: Bool

  /// Nil where there is no such attribute at one end, or the one at the other end is not to be written.
  package init?(
    from source: PersistentStore, entity: String, attribute: String, to destination: PersistentStore,
    entity destinationEntity: String, attribute destinationAttribute: String
  ) {
    guard let from = source.runtime.byName[entity], case .attribute(let fromSlot)? = from.slots[attribute],
      let place = AttributePlace(of: destinationAttribute, entity: destinationEntity, in: destination)
    else { return nil }
    let (old, new) = (from.attributes[fromSlot], place.attribute)
    (self.source, sourceSlot, self.place) = (from, fromSlot, place)
    isExact = old.type == new.type && old.type != .composite && old.type != .undefined
    keepsFiles = old.column?.mayBeExternal == true && new.column?.mayBeExternal == true && old.type == new.type
  }

  /// Copies; false where an object is of another entity than this was made ready for, or the attribute cannot hold the
  /// value, which then stays as it was.
  package func copy(from object: ManagedObject, to new: ManagedObject) throws -> Bool {
    guard object.runtime === source || object.runtime.ancestors.contains(source.shapeOwner), place.fits(new) else {
      return false
    }
    if let value = try object.value(at: sourceSlot) { return try set(value, of: new) }
    if let file = object.externalFiles[sourceSlot], keepsFiles, new.isNew {
      return try take(file, of: object, into: new)
    }
    return try set(object.value(forKey: source.attributes[sourceSlot].description.name), of: new)
  }

  private func set(_ value: Value, of new: ManagedObject) throws -> Bool {
    guard let held = isExact ? value : value.converted(to: place.attribute.type) else { return false }
    try place.set(held, of: new)
    return true
  }

  private func take(_ file: String, of object: ManagedObject, into new: ManagedObject) throws -> Bool {
    let (from, to) = (try object.livingContext().store, try new.livingContext().store)
    new.attributes[place.slot] = .null
    new.externalFiles[place.slot] = try to.externalData.take(file, from: from.externalData)
    return true
  }
}
