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
