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
