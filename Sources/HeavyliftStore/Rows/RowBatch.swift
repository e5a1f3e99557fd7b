import HeavyliftModel

/// Rows of new objects, without the objects.
struct RowBatch: Sendable {
  struct Row: Sendable {
    /// The entity's place in the store.
    let entity: Int
    let key: Int64
    /// Where its attributes begin among those of the batch.
    let values: Int
    /// Where its targets begin among those of the batch.
    let targets: Int
    /// The page that says some of its attributes, by its place among those of the batch, and the row there; -1 where there
    /// is none.
    let page: Int
    let pageRow: Int
  }

  private(set) var rows: [Row] = []
  /// Row by row, by slot.
  private(set) var values: [Value] = []
  /// Row by row: the keys of the targets of to-one relationships, 0 for none.
  private(set) var targets: [Int64] = []
  private(set) var pages: [RowPage] = []
  /// About how many bytes the values hold elsewhere.
  private(set) var bytes = 0

  init(capacity: Int) { rows.reserveCapacity(capacity) }

  /// Appends the row of an object.
  mutating func append(_ object: ManagedObject) {
    bytes += object.heapBytes
    var page = -1
    if let row = object.prefetched {
      // Objects that come one after the other mostly are of one page.
      if pages.last !== row.page {
        pages.append(row.page)
        bytes += row.page.weight
      }
      page = pages.count - 1
    }
    rows.append(
      Row(
        entity: object.runtime.index, key: object.key, values: values.count, targets: targets.count, page: page,
        pageRow: object.prefetched?.index ?? 0))
    values.append(contentsOf: object.held)
    if object.hiddenTargets.isEmpty {
      targets.append(contentsOf: object.toOnes)
    } else {
      for slot in object.toOnes.indices { targets.append(object.storedTarget(at: slot)) }
    }
  }

  /// How many bytes the texts of a row have.
  func textBytes(of row: Row, slots: Int) -> Int {
    var bytes = 0
    for index in row.values..<row.values + slots {
      if case .string(let text) = values[index] { bytes += text.utf8.count }
    }
    return bytes
  }
}
