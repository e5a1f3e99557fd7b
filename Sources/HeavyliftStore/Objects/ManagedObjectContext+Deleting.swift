import HeavyliftModel

extension ManagedObjectContext {
  /// Marks an object for deletion by the next save, and applies the delete rules of its relationships at once.
  ///
  /// If that fails midway, the next save throws the same error and saves nothing; `rollback()` undoes the deletion.
  public func delete(_ object: ManagedObject) throws {
    guard object.context === self else { throw ObjectMistake.otherContext(object.description).diagnostic }
    try store.makeDeferredIndexes()
    // A list instead of recursion, because a chain of cascades can be as long as the store.
    var pending = [object]
    do {
      while let next = pending.popLast() {
        if next.isDeleted { continue }
        try next.fulfill()
        try willReadLinks?()
        mark(next)
        if isBulkLoading { try noteDeniedTargets(of: next) }
        for slot in next.runtime.toOnes.indices { pending += try applyRule(ofToOne: slot, of: next) }
        for slot in next.runtime.toManys.indices { pending += try applyRule(ofToMany: slot, of: next) }
      }
    } catch {
      // A partial deletion must never be saved.
      if object.isMarkedForDeletion { keep(error) }
      throw error
    }
  }

  private func mark(_ object: ManagedObject) {
    object.isMarkedForDeletion = true
    hasDeleted = true
    held?.hasDeletions = true
    objectCounts[object.runtime.index].deleted += 1
    updated[object.objectKey] = nil
    if object.isNew {
      inserted.remove(object)
      if isBulkLoading { vanished.insert(object.objectKey) }
    } else {
      deleted[object.objectKey] = object
    }
    // A new object does not come back.
    if let undo = deletionHandler?(object), !object.isNew { undoingDeletions.append(undo) }
  }

  /// Applies the delete rule of a relationship, and returns the targets that must be deleted, too.
  private func applyRule(ofToOne slot: Int, of object: ManagedObject) throws -> [ManagedObject] {
    let relationship = object.runtime.toOnes[slot]
    return try apply(
      relationship.description.deleteRule, to: [object.targetKey(at: slot)], of: relationship.destination,
      inverse: relationship.inverse, owner: object)
  }

  private func applyRule(ofToMany slot: Int, of object: ManagedObject) throws -> [ManagedObject] {
    let relationship = object.runtime.toManys[slot]
    let rule = relationship.description.deleteRule
    guard rule != .noAction, rule != .deny else { return [] }
    return try apply(
      rule, to: object.targetKeys(at: slot), of: relationship.destination, inverse: relationship.inverse, owner: object)
  }

  private func apply(
    _ rule: DeleteRule, to keys: [Int64], of destination: Int, inverse: EntityRuntime.Slot?, owner: ManagedObject
  ) throws -> [ManagedObject] {
    switch rule {
    case .noAction, .deny: return []
    case .nullify where inverse == nil: return []
    case .nullify, .cascade:
      // A missing target must not prevent the deletion of its owner.
      let targets = try keys.compactMap { try readObject($0, destination) }
      if let inverse {
        for target in targets where !target.isDeleted {
          noteLinked(target, inverse)
          try target.unlink(owner.key, from: inverse)
        }
      }
      return rule == .cascade ? targets : []
    }
  }
}

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
