import HeavyliftModel

/// Copies one attribute from objects of one store into new objects of another, made ready once for many objects.
///
/// A value in an external file stays there: the file is taken over as a whole, without its bytes being read.
package struct AttributeTransfer {
  private let source: EntityRuntime
  private let destination: EntityRuntime
  private let sourceSlot: Int
  private let destinationSlot: Int
  private let isExact: Bool
  private let keepsFiles: Bool

  /// Nil where there is no such attribute at one end, or the one at the other end is not to be written.
  package init?(
    from source: PersistentStore, entity: String, attribute: String, to destination: PersistentStore,
    entity destinationEntity: String, attribute destinationAttribute: String
  ) {
    guard let from = source.runtime.byName[entity], let to = destination.runtime.byName[destinationEntity],
      case .attribute(let fromSlot)? = from.slots[attribute],
      case .attribute(let toSlot)? = to.slots[destinationAttribute], !to.attributes[toSlot].isDerived
    else { return nil }
    let (old, new) = (from.attributes[fromSlot], to.attributes[toSlot])
    (self.source, self.destination, sourceSlot, destinationSlot) = (from, to, fromSlot, toSlot)
    isExact = old.type == new.type && old.type != .composite && old.type != .undefined
    keepsFiles = old.column?.mayBeExternal == true && new.column?.mayBeExternal == true && old.type == new.type
  }

  /// Whether the objects are of the entities for which this was made ready, or of sub-entities of theirs.
  package func fits(_ object: ManagedObject, _ new: ManagedObject) -> Bool {
    Self.fits(object, source) && Self.fits(new, destination)
  }

  private static func fits(_ object: ManagedObject, _ entity: EntityRuntime) -> Bool {
    object.runtime === entity || object.runtime.ancestors.contains(entity.shapeOwner)
  }

  /// Copies; false where the attribute cannot hold the value, which then stays as it was.
  package func copy(from object: ManagedObject, to new: ManagedObject) throws -> Bool {
    try object.fulfill()
    try new.fulfill()
    if let file = object.externalFiles[sourceSlot] {
      if keepsFiles, new.isNew { return try take(file, of: object, into: new) }
      return try set(object.value(forKey: source.attributes[sourceSlot].description.name), of: new)
    }
    return try set(object.attributes[sourceSlot], of: new)
  }

  private func set(_ value: Value, of new: ManagedObject) throws -> Bool {
    if isExact, new.isNew {
      new.externalFiles[destinationSlot] = nil
      new.attributes[destinationSlot] = value
      return true
    }
    let attribute = destination.attributes[destinationSlot]
    guard value.converted(to: attribute.type) != nil else { return false }
    try new.setValue(value, forKey: attribute.description.name)
    return true
  }

  private func take(_ file: String, of object: ManagedObject, into new: ManagedObject) throws -> Bool {
    let (from, to) = (try object.livingContext().store, try new.livingContext().store)
    new.attributes[destinationSlot] = .null
    new.externalFiles[destinationSlot] = try to.externalData.take(file, from: from.externalData)
    return true
  }
}
