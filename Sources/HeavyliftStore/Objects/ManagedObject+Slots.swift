/// The slots of properties, for typed objects, which look a name up only once.
extension ManagedObject {
  /// The index of the object's entity among the store's entities.
  package var entityIndex: Int { runtime.index }

  /// True if the object is not saved yet, and not a row of a store under construction either.
  package var isUnsaved: Bool { isNew }

  /// Keeps an error, which the next save of the object's context throws.
  package func keep(_ error: any Error) { context?.keep(error, of: self) }
}

extension PersistentStore {
  /// A property's kind and slot.
  package enum PropertySlot: Hashable, Sendable {
    case attribute(Int)
    case toOne(Int)
    case toMany(Int)
  }

  /// Returns the slots of an entity's properties by name, including inherited ones; nil if the store lacks the entity.
  package func propertySlots(ofEntityNamed name: String) -> [String: PropertySlot]? {
    runtime.byName[name]?.slots.mapValues { slot in
      switch slot {
      case .attribute(let slot): .attribute(slot)
      case .toOne(let slot): .toOne(slot)
      case .toMany(let slot): .toMany(slot)
      }
    }
  }

  /// Returns the index of an entity among the store's entities; nil if the store lacks it.
  package func index(ofEntityNamed name: String) -> Int? { runtime.byName[name]?.index }
}
