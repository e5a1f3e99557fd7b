/// An object that stands for one row after the other, as long as nobody reads it or keeps it: to make one for each row
/// costs more than most of what is done with them.
package struct PassingFault {
  private let context: ManagedObjectContext
  private let entity: EntityRuntime
  private var object: ManagedObject?
  /// Whether nobody has read or kept an object so far.
  package private(set) var isUntouched = true

  package init(_ entityName: String, in context: ManagedObjectContext) throws {
    (self.context, entity) = (context, try context.runtime(of: entityName))
  }

  /// The object with that key, not read unless somebody did so before.
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

  /// Takes note of what became of the last object.
  package mutating func letGo() {
    guard object != nil else { return }
    if isKnownUniquelyReferenced(&object), object?.isUntouchedFault == true { return }
    isUntouched = false
    object = nil
  }
}

extension ManagedObject {
  /// Whether it holds nothing but its key, and nobody waits for it to go.
  var isUntouchedFault: Bool {
    isFault && row == nil && batch == nil && !isNew && !isDeleted && committed == nil && context != nil
      && toManys.isSameStorage(as: runtime.unreadTargets) && !isWeaklyReferenced
  }

  /// A weak reference must become nil with its row, and not turn to the next one. Each of the two counts begins at 1.
  var isWeaklyReferenced: Bool { _getWeakRetainCount(self) > 1 || _getUnownedRetainCount(self) > 1 }
}

extension ManagedObjectContext {
  /// Gives a fault that nobody knows of another key.
  func rename(_ object: ManagedObject, to key: Int64) { registered.rename(object, to: key) }
}
