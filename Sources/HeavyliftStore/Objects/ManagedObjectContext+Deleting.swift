import HeavyliftModel

extension ManagedObjectContext {
  /// Marks an object for deletion by the next save, and applies the delete rules of its relationships at once.
  public func delete(_ object: ManagedObject) throws {
    guard object.context === self else { throw ObjectMistake.otherContext(object.description).diagnostic }
    // A list, not a recursion: a chain of cascades can be as long as the store.
    var pending = [object]
    while let next = pending.popLast() {
      if next.isDeleted { continue }
      try next.fulfill()
      mark(next)
      for slot in next.runtime.toOnes.indices { pending += try applyRule(ofToOne: slot, of: next) }
      for slot in next.runtime.toManys.indices { pending += try applyRule(ofToMany: slot, of: next) }
    }
  }

  private func mark(_ object: ManagedObject) {
    object.isMarkedForDeletion = true
    updated[object.objectKey] = nil
    if object.isNew {
      inserted[object.objectKey] = nil
    } else {
      deleted[object.objectKey] = object
    }
  }

  /// Gives the objects that are to be deleted along.
  private func applyRule(ofToOne slot: Int, of object: ManagedObject) throws -> [ManagedObject] {
    let relationship = object.runtime.toOnes[slot]
    guard object.toOnes[slot] != 0 else { return [] }
    let target = try self.object(object.toOnes[slot], destination: relationship.destination)
    return try apply(relationship.description.deleteRule, to: [target], inverse: relationship.inverse, of: object)
  }

  private func applyRule(ofToMany slot: Int, of object: ManagedObject) throws -> [ManagedObject] {
    let relationship = object.runtime.toManys[slot]
    let rule = relationship.description.deleteRule
    guard rule != .noAction, rule != .deny else { return [] }
    let targets = try object.targetKeys(at: slot).map { try self.object($0, destination: relationship.destination) }
    return try apply(rule, to: targets, inverse: relationship.inverse, of: object)
  }

  private func apply(
    _ rule: DeleteRule, to targets: [ManagedObject], inverse: EntityRuntime.Slot?, of object: ManagedObject
  ) throws -> [ManagedObject] {
    switch rule {
    case .noAction, .deny: return []
    case .nullify, .cascade:
      if let inverse {
        for target in targets where !target.isDeleted { try target.unlink(object.key, from: inverse) }
      }
      return rule == .cascade ? targets : []
    }
  }
}
