import HeavyliftModel

extension ManagedObject {
  /// The target of a to-one relationship.
  public subscript(toOne name: String) -> ManagedObject? {
    get { keeping(nil) { try object(forKey: name) } }
    set { keeping(()) { try setObject(newValue, forKey: name) } }
  }

  /// The targets of a to-many relationship, in order if it is ordered, otherwise sorted by key.
  public subscript(toMany name: String) -> [ManagedObject] {
    get { keeping([]) { try objects(forKey: name) } }
    set { keeping(()) { try setObjects(newValue, forKey: name) } }
  }

  /// Returns the target of a to-one relationship.
  public func object(forKey name: String) throws -> ManagedObject? { try target(at: toOneSlot(name)) }

  /// Returns the target of the to-one relationship with that slot.
  package func target(at slot: Int) throws -> ManagedObject? {
    noteHandled(.toOne(slot))
    let key = try targetKey(at: slot)
    return key == 0 ? nil : try livingContext().object(key, destination: runtime.toOnes[slot].destination)
  }

  /// Sets the target of a to-one relationship, and updates the inverse.
  public func setObject(_ target: ManagedObject?, forKey name: String) throws {
    let slot = try toOneSlot(name)
    let relationship = runtime.toOnes[slot]
    if let target { try check(target, for: name, destination: relationship.destination) }
    let old = try targetKey(at: slot)
    noteHandled(.toOne(slot))
    guard old != target?.key ?? 0 else { return }
    try livingContext().noteLinked(self, .toOne(slot))
    // Everything that may fail comes first, so that an unreadable row does not leave only one side changed.
    let previous = try relationship.inverse == nil ? nil : livingContext().readObject(old, relationship.destination)
    if relationship.inverse != nil { try target?.fulfill() }
    try willChange()
    replaceTarget(target?.key ?? 0, at: slot)
    guard let inverse = relationship.inverse else { return }
    try previous?.unlink(key, from: inverse)
    try target?.link(self, at: inverse, from: .toOne(slot))
  }

  /// Returns the targets of a to-many relationship, in order if it is ordered, otherwise sorted by key.
  public func objects(forKey name: String) throws -> [ManagedObject] { try targets(at: toManySlot(name)) }

  /// Returns the targets of the to-many relationship with that slot.
  package func targets(at slot: Int) throws -> [ManagedObject] {
    noteHandled(.toMany(slot))
    let context = try livingContext()
    return try targetKeys(at: slot).map { try context.object($0, destination: runtime.toManys[slot].destination) }
  }

  /// Returns the number of targets of a to-many relationship, without creating objects for them.
  public func count(forKey name: String) throws -> Int {
    let slot = try toManySlot(name)
    noteHandled(.toMany(slot))
    return try targetKeys(at: slot).count
  }

  /// Sets the targets of a to-many relationship, in the given order if it is ordered.
  public func setObjects(_ targets: [ManagedObject], forKey name: String) throws {
    let slot = try toManySlot(name)
    let destination = runtime.toManys[slot].destination
    for target in targets { try check(target, for: name, destination: destination) }
    noteHandled(.toMany(slot))
    let wanted = Set(targets.map(\.key))
    let context = try livingContext()
    context.releaseDeniedOwners(from: self, slot: slot) { !wanted.contains($0) }
    for key in try targetKeys(at: slot) where !wanted.contains(key) {
      try unlinkTarget(context.object(key, destination: destination), slot: slot)
    }
    for target in targets { try linkTarget(target, slot: slot, position: nil) }
    guard runtime.toManys[slot].description.isOrdered else { return }
    var seen: Set<Int64> = []
    toManys[slot].reorder(targets.map(\.key).filter { seen.insert($0).inserted })
    if toManys[slot].isReordered { try willChange() }
  }

  /// Adds a target to a to-many relationship; in an ordered one at the given position, by default at the end.
  public func add(_ target: ManagedObject, to name: String, at position: Int? = nil) throws {
    let slot = try toManySlot(name)
    try check(target, for: name, destination: runtime.toManys[slot].destination)
    guard position == nil || runtime.toManys[slot].description.isOrdered else {
      throw ObjectMistake.notOrdered(name, entity: runtime.name).diagnostic
    }
    noteHandled(.toMany(slot))
    try loadTargets(at: slot)
    try linkTarget(target, slot: slot, position: position)
  }

  /// Removes a target from a to-many relationship.
  public func remove(_ target: ManagedObject, from name: String) throws {
    let slot = try toManySlot(name)
    noteHandled(.toMany(slot))
    try check(target, for: name, destination: runtime.toManys[slot].destination, mayBeDeleted: true)
    try livingContext().releaseDeniedOwners(from: self, slot: slot) { $0 == target.key }
    try loadTargets(at: slot)
    guard toManys[slot].contains(target.key) else { return }
    try unlinkTarget(target, slot: slot)
  }

  private func toOneSlot(_ name: String) throws -> Int {
    guard case .toOne(let slot)? = runtime.slots[name] else {
      throw ObjectMistake.unknownProperty(name, entity: runtime, wanted: .toOne).diagnostic
    }
    return slot
  }

  private func toManySlot(_ name: String) throws -> Int {
    guard case .toMany(let slot)? = runtime.slots[name] else {
      throw ObjectMistake.unknownProperty(name, entity: runtime, wanted: .toMany).diagnostic
    }
    return slot
  }

  private func check(
    _ target: ManagedObject, for name: String, destination: Int, mayBeDeleted: Bool = false
  ) throws {
    let context = try livingContext()
    guard target.context === context else { throw ObjectMistake.otherContext(target.description).diagnostic }
    let expected = context.store.runtime.entities[destination]
    guard expected.layout.numbersWithSubentities.contains(target.runtime.layout.number) else {
      throw ObjectMistake.wrongTarget(name, entity: runtime.name, expected: expected.name, found: target.runtime.name)
        .diagnostic
    }
    if target.isDeleted, !mayBeDeleted {
      throw ObjectMistake.deletedTarget(name, entity: runtime.name, object: target.description).diagnostic
    }
  }
}
