import HeavyliftModel

extension ManagedObject {
  /// The target of a to-one relationship.
  public subscript(toOne name: String, file: StaticString = #fileID, line: UInt = #line) -> ManagedObject? {
    get { keeping(nil, file, line) { try object(forKey: name) } }
    set { keeping((), file, line) { try setObject(newValue, forKey: name) } }
  }

  /// The targets of a to-many relationship, in order if it is ordered, otherwise sorted by key.
  public subscript(toMany name: String, file: StaticString = #fileID, line: UInt = #line) -> [ManagedObject] {
    get { keeping([], file, line) { try objects(forKey: name) } }
    set { keeping((), file, line) { try setObjects(newValue, forKey: name) } }
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

/// The targets of a to-many relationship of one object: the stored ones and the unsaved changes.
///
/// Changes that are made before the stored targets are read are kept as a difference. So setting the other side of the
/// relationship a hundred thousand times never reads the owner's targets.
struct ToManyContents {
  /// True if the stored targets were read.
  private(set) var isLoaded = false
  /// The targets in order if the stored ones were read, otherwise only the added ones.
  private(set) var keys: [Int64] = []
  private var members: Set<Int64> = []
  /// Added since the last save.
  private(set) var added: Set<Int64> = []
  /// Removed since the last save.
  private(set) var removed: Set<Int64> = []
  /// True if the order of the stored targets has changed.
  private(set) var isReordered = false
  /// The stored order keys by target, for an ordered relationship.
  private(set) var orderKeys: [Int64: Int64] = [:]

  /// The contents of a new object's relationship: there are no targets, and none to be read.
  static let empty: ToManyContents = {
    var contents = ToManyContents()
    contents.isLoaded = true
    return contents
  }()

  var hasChanges: Bool { !added.isEmpty || !removed.isEmpty || isReordered }

  func contains(_ key: Int64) -> Bool { members.contains(key) }

  /// Sets the stored targets; unsaved changes are applied to them.
  mutating func load(_ stored: [(key: Int64, order: Int64?)]) {
    guard !isLoaded else { return }
    isLoaded = true
    let appended = keys
    keys = stored.map(\.key).filter { !removed.contains($0) && !members.contains($0) } + appended
    members = Set(keys)
    orderKeys = Dictionary(
      stored.compactMap { row in row.order.map { (row.key, $0) } }, uniquingKeysWith: { first, _ in first })
  }

  /// Adds a target.
  ///
  /// - Parameter isRecreated: True if the next save deletes an object with that key, and all its links, before it
  ///   inserts the target. The link must then be written again, even if it is already stored.
  mutating func insert(_ key: Int64, at position: Int? = nil, isRecreated: Bool = false) {
    if isRecreated { added.insert(key) }
    guard members.insert(key).inserted else { return }
    if let position, position < keys.count {
      keys.insert(key, at: max(0, position))
      isReordered = true
    } else {
      keys.append(key)
    }
    if !isRecreated, removed.remove(key) != nil {
      isReordered = true
    } else {
      added.insert(key)
    }
  }

  /// Adds a stored target that was removed, at its stored position.
  mutating func putBack(_ key: Int64) {
    guard removed.remove(key) != nil else { return insert(key) }
    // Other stored targets are read along with it.
    guard isLoaded, members.insert(key).inserted else { return }
    let order = orderKeys[key] ?? .max
    let position = keys.firstIndex { added.contains($0) || orderKeys[$0] ?? .min > order } ?? keys.count
    keys.insert(key, at: position)
  }

  mutating func remove(_ key: Int64) {
    // A stored target that was not read is in neither list.
    guard members.remove(key) != nil || !isLoaded else { return }
    if let position = keys.lastIndex(of: key) { keys.remove(at: position) }
    if added.remove(key) == nil { removed.insert(key) }
  }

  /// Changes the order of the targets, which must be the same ones.
  mutating func reorder(_ ordered: [Int64]) {
    guard ordered != keys else { return }
    keys = ordered
    isReordered = true
  }

  /// Returns order keys for the targets in their order, with as few changes as possible.
  func orderedKeys() -> [(key: Int64, order: Int64, isChanged: Bool)] {
    // If the stored keys leave no room for larger ones, all targets get new keys.
    let ceiling = Int64.max - OrderKeys.spacing * Int64(keys.count + 1)
    let isRoomy = orderKeys.values.allSatisfy { $0 < ceiling }
    var last = OrderKeys.start
    return keys.map { key in
      if isRoomy, let stored = orderKeys[key], stored > last, !added.contains(key) {
        last = stored
        return (key, stored, false)
      }
      last += OrderKeys.spacing
      return (key, last, true)
    }
  }

  /// Marks the current targets and their order as stored.
  mutating func commit(translating translate: (Int64) -> Int64, orderKeys newOrder: [Int64: Int64]?) {
    // A new object that was deleted before it was saved has no key.
    keys = keys.map(translate).filter { $0 != 0 }
    members = Set(members.map(translate)).subtracting([0])
    added = []
    removed = []
    isReordered = false
    if let newOrder { orderKeys = newOrder }
    // Without the stored targets, the list of added ones is meaningless.
    if !isLoaded { self = ToManyContents() }
  }
}
