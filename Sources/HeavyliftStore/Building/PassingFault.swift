/// An object that is reused for one row after another as long as the program neither reads nor keeps it: creating an
/// object for each row costs more than most of what is done with it.
package struct PassingFault {
  private let context: ManagedObjectContext
  private let entity: EntityRuntime
  private var object: ManagedObject?
  /// True if no object was read or kept so far.
  package private(set) var isUntouched = true

  package init(_ entityName: String, in context: ManagedObjectContext) throws {
    (self.context, entity) = (context, try context.runtime(of: entityName))
  }

  /// Returns the object with that key, as a fault unless it was read before.
  package mutating func next(_ key: Int64) -> ManagedObject {
    letGo()
    let wanted = ObjectKey(root: entity.rootNumber, key: key)
    if let known = context.registeredObject(wanted) { return known }
    if let object {
      context.rename(object, to: key)
      return object
    }
    let made = ManagedObject(entity, key: key, isFault: true, context: context)
    context.register(passing: made)
    object = made
    return made
  }

  /// Stops reusing the last object if the program has read or kept it.
  package mutating func letGo() {
    guard object != nil else { return }
    if isKnownUniquelyReferenced(&object), object?.isUntouchedFault == true { return }
    isUntouched = false
    object = nil
  }
}

extension ManagedObject {
  /// True if the object contains nothing but its key, and has no weak reference.
  var isUntouchedFault: Bool {
    isFault && row == nil && batch == nil && !isNew && !isDeleted && committed == nil && context != nil
      && toManys.isSameStorage(as: runtime.unreadTargets) && !isWeaklyReferenced
  }

  /// A weak reference must become nil after its row instead of referring to the next one. Both counts start at 1.
  var isWeaklyReferenced: Bool { _getWeakRetainCount(self) > 1 || _getUnownedRetainCount(self) > 1 }
}

extension ManagedObjectContext {
  /// Gives a fault another key. The caller must hold the only reference to it.
  func rename(_ object: ManagedObject, to key: Int64) { registered.rename(object, to: key) }
}
