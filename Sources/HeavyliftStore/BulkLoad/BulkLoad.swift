import HeavyliftSQLite

/// The state of a context that works on a store under construction: objects get their keys immediately, and are
/// released once they are written.
///
/// If other programs use a store, keys must be reserved by the save that uses them. No other program uses a store under
/// construction, so its objects can get their keys earlier: they can then be identified, linked and released before any
/// of them is complete.
final class BulkLoad {
  /// The next free key of each hierarchy, by `Z_ENT` of its root; 1 by default.
  private var nextKeys: [Int: Int64]
  /// Prepared statements: there are few different sets of changed columns, each in very many objects.
  var updateStatements: [ChangedColumns: Statement] = [:]

  init(firstKeys: [Int: Int64]) { nextKeys = firstKeys }

  /// Returns an unused key; nil if none is left.
  func nextKey(root: Int) -> Int64? {
    let key = nextKeys[root] ?? 1
    guard key < Int64.max else { return nil }
    nextKeys[root] = key + 1
    return key
  }
}

/// The columns of an entity's rows that one statement sets, by their indexes in `RowColumns`.
struct ChangedColumns: Hashable {
  var entity: Int
  var attributes: [Int] = []
  var toOnes: [Int] = []
}

extension Array {
  /// Returns true if both arrays share their memory, so that they are certainly equal. False does not mean that they
  /// differ.
  func isSameStorage(as other: [Element]) -> Bool {
    withUnsafeBufferPointer { own in
      other.withUnsafeBufferPointer { own.baseAddress == $0.baseAddress && own.count == $0.count }
    }
  }
}
