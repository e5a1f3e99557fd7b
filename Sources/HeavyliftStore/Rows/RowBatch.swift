import HeavyliftModel

/// Rows of new objects that are ready to be written.
struct RowBatch: Sendable {
  struct Row: Sendable {
    /// The entity's index in the store.
    let entity: Int
    let key: Int64
    /// The attributes by slot. The array is the object's own, because copying it would copy each value.
    let values: [Value]
    /// The index of its first target among `targets`.
    let targets: Int
    /// The index in `pages` of the page with its prefetched attributes; -1 if there is none.
    let page: Int
    /// The index of its row in that page.
    let pageRow: Int
    /// The slots of the prefetched attributes whose values are in `values` nevertheless.
    let overridden: SlotSet
  }

  private(set) var rows: [Row] = []
  /// The keys of the targets of to-one relationships, of one row after another, by slot; 0 for none.
  private(set) var targets: [Int64] = []
  private(set) var pages: [RowPage] = []
  /// The approximate number of bytes that the values have on the heap.
  private(set) var bytes = 0

  init(capacity: Int) { rows.reserveCapacity(capacity) }

  /// Appends the row of an object.
  mutating func append(_ object: ManagedObject) {
    var page = -1
    if let row = object.prefetched {
      // Consecutive objects mostly have rows of the same page.
      if pages.last !== row.page {
        pages.append(row.page)
        bytes += row.page.weight
      }
      page = pages.count - 1
      bytes += object.overriddenSlots.isEmpty ? object.heapBytes(row.page.attributes.otherHeavySlots) : object.heapBytes
    } else {
      bytes += object.heapBytes
    }
    rows.append(
      Row(
        entity: object.runtime.index, key: object.key, values: object.held, targets: targets.count, page: page,
        pageRow: object.prefetched?.index ?? 0, overridden: object.overriddenSlots))
    targets.append(contentsOf: object.toOnes)
  }
}
