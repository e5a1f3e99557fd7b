/// Takes back the changes of an object's links at their other ends.
extension ManagedObject {
  /// Restores the stored links at the other ends. The object's own end must be read again afterward.
  func takeBackLinks() throws {
    guard let committed else { return }
    for (slot, toOne) in runtime.toOnes.enumerated() where toOnes[slot] != committed.toOnes[slot] {
      guard let inverse = toOne.inverse else { continue }
      try takeBack(
        added: [toOnes[slot]], removed: [committed.toOnes[slot]], .toOne(slot), toOne.destination, inverse)
    }
    for (slot, toMany) in runtime.toManys.enumerated() {
      guard let inverse = toMany.inverse else { continue }
      try takeBack(
        added: toManys[slot].added.sorted(), removed: toManys[slot].removed.sorted(), .toMany(slot),
        toMany.destination, inverse)
    }
  }

  private func takeBack(
    added: [Int64], removed: [Int64], _ slot: EntityRuntime.Slot, _ destination: Int, _ inverse: EntityRuntime.Slot
  ) throws {
    let context = try livingContext()
    for key in added {
      guard let target = try context.readObject(key, destination), !target.isDeleted else { continue }
      try target.unlink(self.key, from: inverse)
      try target.regainTarget(at: inverse)
    }
    for key in removed {
      guard let target = try context.readObject(key, destination), !target.isDeleted else { continue }
      if case .toOne(let index) = inverse, target.toOnes[index] != 0, target.toOnes[index] != self.key,
        let other = try context.readObject(target.toOnes[index], target.runtime.toOnes[index].destination)
      {
        try other.unlink(key, from: slot)
        if other !== self { try other.regainTarget(at: slot) }
      }
      try target.regainLink(to: self.key, at: inverse)
    }
  }

  /// Restores the stored link of a to-one relationship that another object's change has taken, unless its target is
  /// deleted or has another link by now.
  private func regainTarget(at slot: EntityRuntime.Slot) throws {
    guard case .toOne(let index) = slot, toOnes[index] == 0, let stored = committed?.toOnes[index],
      let target = try livingContext().readObject(stored, runtime.toOnes[index].destination), !target.isDeleted
    else { return }
    guard let inverse = runtime.toOnes[index].inverse else { return replaceTarget(stored, at: index) }
    if case .toOne(let back) = inverse, target.toOnes[back] != 0, target.toOnes[back] != key { return }
    replaceTarget(stored, at: index)
    try target.regainLink(to: key, at: inverse)
  }

  /// Restores this end of a stored link.
  private func regainLink(to otherKey: Int64, at slot: EntityRuntime.Slot) throws {
    try willChange()
    switch slot {
    case .attribute: return
    case .toOne(let index): replaceTarget(otherKey, at: index)
    case .toMany(let index): toManys[index].putBack(otherKey)
    }
  }
}
