import HeavyliftModel

/// Rows of new objects, without the objects.
struct RowBatch: Sendable {
  struct Row: Sendable {
    /// The entity's place in the store.
    let entity: Int
    let key: Int64
    let attributes: [Value]
    let toOnes: [Int64]

    init(_ object: ManagedObject) {
      (entity, key) = (object.runtime.index, object.key)
      (attributes, toOnes) = (object.attributes, object.toOnes)
    }

    /// About how many bytes the values hold that are not in the row itself.
    var bytes: Int {
      var bytes = 0
      for value in attributes { bytes += value.heapBytes }
      return bytes
    }
  }

  private(set) var rows: [Row] = []
  private(set) var bytes = 0
  /// Whether another thread than the one that hands them over has made most of the values.
  let isOfOthers: Bool

  mutating func append(_ object: ManagedObject) {
    let row = Row(object)
    rows.append(row)
    bytes += row.bytes
  }

  init(capacity: Int, isOfOthers: Bool = false) {
    self.isOfOthers = isOfOthers
    rows.reserveCapacity(capacity)
  }
}
