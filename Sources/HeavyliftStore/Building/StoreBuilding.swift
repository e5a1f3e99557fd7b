import HeavyliftSQLite

/// How a context works on a store that is being built: keys are given at once, and what was made is written and let go of.
///
/// A store in which other programs work needs its keys handed out by the save that uses them. One that nobody else sees
/// does not, and an object that has its key at once can be named, linked to and forgotten before anything is complete.
struct StoreBuilding {
  /// The next free key of each hierarchy, by the number of its root; 1 where nothing is said.
  private var nextKeys: [Int: Int64]
  /// Few sets of columns change, each in very many objects.
  var updateStatements: [ChangedColumns: Statement] = [:]

  init(firstKeys: [Int: Int64]) { nextKeys = firstKeys }

  /// A key that nobody has; nil when there is none left.
  mutating func nextKey(root: Int) -> Int64? {
    let key = nextKeys[root] ?? 1
    guard key < Int64.max else { return nil }
    nextKeys[root] = key + 1
    return key
  }
}

/// The columns of an entity's rows that one statement sets, by their places among `RowColumns`.
struct ChangedColumns: Hashable {
  var entity: Int
  var attributes: [Int] = []
  var toOnes: [Int] = []
}

extension Array {
  /// Whether both are one piece of memory: an array that was copied and not changed since. False says nothing.
  func isSameStorage(as other: [Element]) -> Bool {
    withUnsafeBufferPointer { own in
      other.withUnsafeBufferPointer { own.baseAddress == $0.baseAddress && own.count == $0.count }
    }
  }
}
