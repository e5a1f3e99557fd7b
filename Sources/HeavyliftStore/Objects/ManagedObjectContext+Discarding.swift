import HeavyliftModel

extension ManagedObjectContext {
  /// Discards all changes: removes new objects, and returns changed and deleted ones to their stored state.
  ///
  /// A migration fails if its policy discards anything but a deletion, because new and changed objects may be the
  /// counterparts of other source objects.
  public func rollback() { rollBack(by: "rollback()") }

  /// Discards all changes and releases all objects; objects that the program still holds can no longer be used.
  public func reset() {
    rollBack(by: "reset()")
    for object in registered.all { release(object) }
  }

  /// Discards an object's values, so that the next access reads them again. Its changes are discarded, including
  /// those at the other ends of its relationships; a new object, or one to be deleted, is not affected. Links to
  /// objects that are to be deleted do not come back.
  ///
  /// In a migration, all destination objects are new until its end.
  public func refresh(_ object: ManagedObject) {
    guard object.context === self, !object.isInserted, !object.isDeleted else { return }
    keeping(()) { try object.takeBackLinks() }
    let lost = object.linksLostToDeletions(in: self)
    updated[object.objectKey] = nil
    object.turnIntoFault()
    keeping(()) {
      for (key, slot) in lost { try object.unlink(key, from: slot) }
    }
  }

  /// - Parameter method: The name of the method that the program called.
  private func rollBack(by method: String) {
    if isBulkLoading { countRolledBackObjects() }
    releaseHeldObjects()
    for object in registered.all where object.isNew { release(object) }
    for object in Array(updated.values) + Array(deleted.values) {
      object.isMarkedForDeletion = false
      if !object.isNew { object.turnIntoFault() }
      // An object that was created again had replaced it.
      if registeredObject(object.objectKey) == nil { register(object) }
    }
    for object in deleted.values { objectCounts[object.runtime.index].deleted -= 1 }
    deniedDeletions.removeAll { deleted[$0.owner] != nil || vanished.contains($0.owner) }
    inserted.removeAll()
    (updated, deleted) = ([:], [:])
    vanished = []
    // A migration would count these objects as migrated.
    setFailure(rolledBack.isEmpty ? nil : ObjectMistake.rolledBack(rolledBack, by: method).diagnostic)
    for undo in undoingDeletions.reversed() { undo() }
    undoingDeletions = []
  }

  private func countRolledBackObjects() {
    // An object that was deleted before it was written does not come back.
    rolledBack.new += newObjects.count + vanished.count
    rolledBack.changed += updated.values.count { !$0.isChangedOnlyByDeletions(in: self) }
  }

  fileprivate func isBeingDeleted(_ key: Int64, destination: Int) -> Bool {
    let key = ObjectKey(root: store.runtime.entities[destination].rootNumber, key: key)
    return deleted[key] != nil || vanished.contains(key)
  }
}

/// The numbers of objects that a policy discarded although they may belong to other source objects.
struct RolledBackObjects {
  var new = 0
  var changed = 0

  var isEmpty: Bool { new + changed == 0 }
}

extension ManagedObject {
  /// The stored links that were removed, and lead to objects that the next save deletes.
  fileprivate func linksLostToDeletions(
    in context: ManagedObjectContext
  ) -> [(key: Int64, slot: EntityRuntime.Slot)] {
    guard let committed, context.deletedCount > 0 else { return [] }
    var lost: [(key: Int64, slot: EntityRuntime.Slot)] = []
    for (slot, toOne) in runtime.toOnes.enumerated() where toOnes[slot] != committed.toOnes[slot] {
      let key = committed.toOnes[slot]
      if context.isBeingDeleted(key, destination: toOne.destination) { lost.append((key, .toOne(slot))) }
    }
    for (slot, toMany) in runtime.toManys.enumerated() {
      for key in toManys[slot].removed where context.isBeingDeleted(key, destination: toMany.destination) {
        lost.append((key, .toMany(slot)))
      }
    }
    return lost
  }

  /// True if the object has only lost links to objects that are deleted, which come back when it is rolled back.
  fileprivate func isChangedOnlyByDeletions(in context: ManagedObjectContext) -> Bool {
    guard let committed else { return true }
    if attributes.indices.contains(where: { isChanged($0, since: committed) }) { return false }
    for (slot, toOne) in runtime.toOnes.enumerated() where toOnes[slot] != committed.toOnes[slot] {
      guard toOnes[slot] == 0, context.isBeingDeleted(committed.toOnes[slot], destination: toOne.destination) else {
        return false
      }
    }
    return zip(runtime.toManys, toManys).allSatisfy { toMany, contents in
      contents.added.isEmpty && !contents.isReordered
        && contents.removed.allSatisfy { context.isBeingDeleted($0, destination: toMany.destination) }
    }
  }
}
