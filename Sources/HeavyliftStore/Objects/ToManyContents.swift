/// The targets of a to-many relationship as one object sees them: what the store holds, and what changed since.
///
/// What changes while the rest was not read is remembered as a difference, so that setting the other side of a
/// relationship a hundred thousand times never reads the owner's targets.
struct ToManyContents {
  /// Whether the stored targets were read.
  private(set) var isLoaded = false
  /// Targets in order once loaded; before that the added ones alone.
  private(set) var keys: [Int64] = []
  private var members: Set<Int64> = []
  /// Added since the last save.
  private(set) var added: Set<Int64> = []
  /// Removed since the last save.
  private(set) var removed: Set<Int64> = []
  /// Whether the order of what is stored changed.
  private(set) var isReordered = false
  /// The stored order keys by target, for an ordered relationship.
  private(set) var orderKeys: [Int64: Int64] = [:]

  /// The contents of a new object: nothing, and nothing to be read.
  static let empty: ToManyContents = {
    var contents = ToManyContents()
    contents.isLoaded = true
    return contents
  }()

  var hasChanges: Bool { !added.isEmpty || !removed.isEmpty || isReordered }

  func contains(_ key: Int64) -> Bool { members.contains(key) }

  /// Takes in what the store holds; changes that were remembered stay on top.
  mutating func load(_ stored: [(key: Int64, order: Int64?)]) {
    guard !isLoaded else { return }
    isLoaded = true
    let appended = keys
    keys = stored.map(\.key).filter { !removed.contains($0) && !members.contains($0) } + appended
    members = Set(keys)
    orderKeys = Dictionary(
      stored.compactMap { row in row.order.map { (row.key, $0) } }, uniquingKeysWith: { first, _ in first })
  }

  /// Forgets what the store holds, but not what changed since.
  mutating func unload() {
    guard isLoaded else { return }
    isLoaded = false
    keys.removeAll { !added.contains($0) }
    members = Set(keys)
    orderKeys = [:]
  }

  mutating func insert(_ key: Int64, at position: Int? = nil) {
    guard members.insert(key).inserted else { return }
    if let position, position < keys.count {
      keys.insert(key, at: max(0, position))
      isReordered = true
    } else {
      keys.append(key)
    }
    if removed.remove(key) != nil {
      isReordered = true
    } else {
      added.insert(key)
    }
  }

  mutating func remove(_ key: Int64) {
    // A target that is stored but was not read is in neither list.
    guard members.remove(key) != nil || !isLoaded else { return }
    if let position = keys.lastIndex(of: key) { keys.remove(at: position) }
    if added.remove(key) == nil { removed.insert(key) }
  }

  /// Puts the targets into another order; they stay the same ones.
  mutating func reorder(_ ordered: [Int64]) {
    guard ordered != keys else { return }
    keys = ordered
    isReordered = true
  }

  /// Order keys for the targets in their order, changing as few as possible.
  ///
  /// Core Data spaces them; only their order counts.
  func orderedKeys() -> [(key: Int64, order: Int64, isChanged: Bool)] {
    // A store's own keys may leave no room behind them; then all are given anew.
    let ceiling = Int64.max - 1024 * Int64(keys.count + 1)
    let isRoomy = orderKeys.values.allSatisfy { $0 < ceiling }
    var last: Int64 = 1024
    return keys.map { key in
      if isRoomy, let stored = orderKeys[key], stored > last, !added.contains(key) {
        last = stored
        return (key, stored, false)
      }
      last += 1024
      return (key, last, true)
    }
  }

  /// What stands now is what is stored.
  mutating func commit(translating translate: (Int64) -> Int64, orderKeys newOrder: [Int64: Int64]?) {
    // A new object that was deleted before it was saved has no key.
    keys = keys.map(translate).filter { $0 != 0 }
    members = Set(members.map(translate)).subtracting([0])
    added = []
    removed = []
    isReordered = false
    if let newOrder { orderKeys = newOrder }
    // Without what is stored the list of added ones means nothing any more.
    if !isLoaded { self = ToManyContents() }
  }
}
