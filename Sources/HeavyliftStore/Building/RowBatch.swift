import HeavyliftModel

/// Rows of new objects, without the objects.
struct RowBatch: Sendable {
  struct Row: Sendable {
    /// The entity's place in the store.
    let entity: Int
    let key: Int64
    let attributes: [Value]
    /// Where its targets begin among those of the batch.
    let targets: Int

    /// How many bytes its texts have.
    var textBytes: Int {
      var bytes = 0
      for value in attributes { if case .string(let text) = value { bytes += text.utf8.count } }
      return bytes
    }
  }

  private(set) var rows: [Row] = []
  /// Row by row: the keys of the targets of to-one relationships, 0 for none.
  private(set) var targets: [Int64] = []
  /// About how many bytes the values hold elsewhere.
  private(set) var bytes = 0

  init(capacity: Int) { rows.reserveCapacity(capacity) }

  /// Takes the row of an object, which is of no use afterwards but for its key.
  mutating func append(takenFrom object: ManagedObject) {
    bytes += object.heapBytes
    var attributes: [Value] = []
    swap(&attributes, &object.attributes)
    append(object, attributes)
  }

  /// Appends the row of an object that lives on.
  mutating func append(_ object: ManagedObject) {
    bytes += object.heapBytes
    append(object, object.attributes)
  }

  /// Takes the last row out, and gives its attributes; nil where there is none.
  mutating func takeLastAttributes() -> [Value]? { rows.popLast()?.attributes }

  private mutating func append(_ object: ManagedObject, _ attributes: [Value]) {
    rows.append(Row(entity: object.runtime.index, key: object.key, attributes: attributes, targets: targets.count))
    targets.append(contentsOf: object.toOnes)
  }
}
