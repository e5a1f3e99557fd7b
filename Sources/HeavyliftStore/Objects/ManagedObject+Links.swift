import HeavyliftModel

/// Keeps both sides of a relationship consistent.
extension ManagedObject {
  func livingContext() throws -> ManagedObjectContext {
    guard let context else { throw ObjectMistake.noContext(description).diagnostic }
    return context
  }

  /// The key of a to-one relationship's target, 0 for none.
  func targetKey(at slot: Int) throws -> Int64 {
    if isFault { try fulfill() }
    // Its link may be due.
    if toOnes[slot] == 0 { try context?.willReadLinks?() }
    return toOnes[slot]
  }

  /// Returns the keys of all targets: in order if the relationship is ordered, otherwise ascending, with unsaved
  /// objects last.
  func targetKeys(at slot: Int) throws -> [Int64] {
    try loadTargets(at: slot)
    let keys = toManys[slot].keys
    return runtime.toManys[slot].description.isOrdered ? keys : keys.sorted(by: Self.keysInOrder)
  }

  /// Reads the stored targets of a to-many relationship, unless they are in memory.
  func loadTargets(at slot: Int) throws {
    try fulfill()
    let context = try livingContext()
    try context.willReadLinks?()
    if !toManys[slot].isLoaded { toManys[slot].load(try context.storedTargets(of: self, slot: slot)) }
  }

  /// Returns true if the first key precedes the second: saved objects by key, then unsaved ones in order of creation.
  static func keysInOrder(_ left: Int64, _ right: Int64) -> Bool {
    (left < 0 ? 1 : 0, left.magnitude) < (right < 0 ? 1 : 0, right.magnitude)
  }

  func linkTarget(_ target: ManagedObject, slot: Int, position: Int?) throws {
    try livingContext().noteLinked(self, .toMany(slot))
    let isRecreated = try target.isRecreated
    if toManys[slot].contains(target.key) {
      if let position { try move(target.key, slot: slot, to: position) }
      // After a deletion without a rule, the link still leads to the deleted object.
      guard isRecreated else { return }
    }
    try willChange()
    toManys[slot].insert(target.key, at: position, isRecreated: isRecreated)
    if let inverse = runtime.toManys[slot].inverse { try target.link(self, at: inverse, from: .toMany(slot)) }
  }

  func unlinkTarget(_ target: ManagedObject, slot: Int) throws {
    let context = try livingContext()
    context.noteLinked(self, .toMany(slot))
    let toMany = runtime.toManys[slot]
    // The target may be gone, or it may have been created again.
    let current = toMany.inverse == nil ? nil : try context.readObject(target.key, toMany.destination)
    try willChange()
    toManys[slot].remove(target.key)
    if let inverse = toMany.inverse { try current?.unlink(key, from: inverse) }
  }

  /// True if the object has the key of an object that the next save deletes.
  private var isRecreated: Bool {
    get throws {
      let context = try livingContext()
      guard context.deletedCount > 0, let other = context.deleted[objectKey] else { return false }
      return other !== self
    }
  }

  private func move(_ key: Int64, slot: Int, to position: Int) throws {
    try willChange()
    var keys = toManys[slot].keys.filter { $0 != key }
    keys.insert(key, at: min(max(0, position), keys.count))
    toManys[slot].reorder(keys)
  }

  /// Sets this end of a link after `other` has set `otherSlot`. The previous target of a to-one relationship loses its
  /// link.
  func link(_ other: ManagedObject, at slot: EntityRuntime.Slot, from otherSlot: EntityRuntime.Slot) throws {
    switch slot {
    case .attribute: return
    case .toOne(let index):
      try fulfill()
      let previous = toOnes[index]
      guard previous != other.key else { return }
      try willChange()
      replaceTarget(other.key, at: index)
      if previous != 0 {
        try livingContext().readObject(previous, runtime.toOnes[index].destination)?.unlink(key, from: otherSlot)
      }
    case .toMany(let index):
      let isRecreated = try other.isRecreated
      guard !toManys[index].contains(other.key) || isRecreated else { return }
      try willChange()
      toManys[index].insert(other.key, isRecreated: isRecreated)
    }
  }

  /// Removes this end of a link after the object with that key has removed the other end.
  func unlink(_ otherKey: Int64, from slot: EntityRuntime.Slot) throws {
    switch slot {
    case .attribute: return
    case .toOne(let index):
      try fulfill()
      guard toOnes[index] == otherKey else { return }
      try willChange()
      replaceTarget(0, at: index)
    case .toMany(let index):
      try willChange()
      toManys[index].remove(otherKey)
    }
  }
}
