import HeavyliftModel

/// Rows of new objects that are ready to be written.
struct RowBatch: Sendable {
  struct Row: Sendable {
    /// The entity's index in the store.
    let entity: Int
    let key: Int64
    /// The index of its first attribute among `values`.
    let values: Int
    /// The index of its first target among `targets`.
    let targets: Int
    /// The index in `pages` of the page with its prefetched attributes; -1 if there is none.
    let page: Int
    /// The index of its row in that page.
    let pageRow: Int
  }

  private(set) var rows: [Row] = []
  /// The attributes of one row after another, by slot.
  private(set) var values: [Value] = []
  /// The keys of the targets of to-one relationships, of one row after another, by slot; 0 for none.
  private(set) var targets: [Int64] = []
  private(set) var pages: [RowPage] = []
  /// The approximate number of bytes that the values have on the heap.
  private(set) var bytes = 0

  init(capacity: Int) { rows.reserveCapacity(capacity) }

  /// Appends the row of an object.
  mutating func append(_ object: ManagedObject) {
    bytes += object.heapBytes
    var page = -1
    if let row = object.prefetched {
      // Consecutive objects mostly have rows of the same page.
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

  /// Returns the number of bytes in a row's texts.
  func textBytes(of row: Row, slots: Int) -> Int {
    var bytes = 0
    for index in row.values..<row.values + slots {
      if case .string(let text) = values[index] { bytes += text.utf8.count }
    }
    return bytes
  }
}
