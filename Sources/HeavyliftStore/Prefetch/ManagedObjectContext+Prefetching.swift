import HeavyliftModel
import HeavyliftSQLite

extension ManagedObjectContext {
  /// Calls `body` with one object at a time while another thread reads the following rows. The request must be for all
  /// objects of exactly the prefetched entity that meet its filter.
  package func enumerate(
    _ request: FetchRequest, prefetching rows: RowPrefetch, pageSize: Int, _ body: (ManagedObject) throws -> Void
  ) throws {
    var count = 0
    let isComplete = try enumerate(rows, pageSize) { object in
      count += 1
      try body(object)
    }
    guard !isComplete else { return }
    // The remaining rows are read, and their errors reported, as in any other enumeration.
    var skipped = 0
    try enumerate(request) { object in
      skipped += 1
      if skipped > count { try body(object) }
    }
  }

  /// Returns true if all rows could be read.
  private func enumerate(_ rows: RowPrefetch, _ pageSize: Int, _ body: (ManagedObject) throws -> Void) throws -> Bool {
    let row = CurrentRow(try faultStatement(for: rows.source), reader(for: rows.source))
    guard let thread = prefetchThread(rows, pageSize) else { return false }
    (store.prefetchThread, rows.current) = (thread, row)
    defer {
      rows.release()
      rows.current = nil
      thread.end()
      store.prefetchThread = nil
    }
    while true {
      let page: RowPage?
      do { page = try thread.next() } catch { return false }
      guard let page else { return true }
      for index in 0..<page.count {
        row.move(to: PageRow(page: page, index: index))
        let key = page.cell(index, 0).integer
        guard key > 0 else { return false }
        if let known = registeredObject(ObjectKey(root: rows.source.rootNumber, key: key)) {
          if known.isFault { known.take(try row.read(in: self)) }
          try body(known)
        } else {
          try pass(unregisteredFault(rows.source, key: key), on: row, to: body)
        }
        rows.release()
      }
    }
  }

  /// Returns nil if the rows cannot be read.
  private func prefetchThread(_ rows: RowPrefetch, _ pageSize: Int) -> PrefetchThread? {
    do {
      try store.register(rows.transfer)
      let statement = try store.database.prepare(rows.sql)
      try statement.bind(rows.bindings)
      return PrefetchThread(rows, statement, pageSize: pageSize)
    } catch {
      return nil
    }
  }
}

/// New objects whose prefetched attributes stay in their page: one that is read is decoded each time, and one that is
/// set is held by the object from then on.
extension ManagedObject {
  /// Returns the value of the attribute at a slot.
  @inline(__always)
  func heldValue(at slot: Int) -> Value {
    if let prefetched, !overriddenSlots.contains(slot), case let place = prefetched.page.attributes.columnIndexes[slot],
      place >= 0
    {
      return prefetched.page.attribute(place, ofRow: prefetched.index)
    }
    return held[slot]
  }

  /// Sets the attribute at a slot to a value of its type.
  @inline(__always)
  func setHeld(_ value: Value, at slot: Int) {
    if let prefetched, prefetched.page.attributes.columnIndexes[slot] >= 0, !overriddenSlots.insert(slot) {
      takePrefetched()
    }
    replaceHeld(value, at: slot)
  }

  /// Decodes the prefetched attributes, and releases the page.
  func takePrefetched() {
    guard let prefetched else { return }
    var values = held
    held = []
    for (place, column) in prefetched.page.attributes.columns.enumerated() where !overriddenSlots.contains(column.slot)
    {
      values[column.slot] = prefetched.page.attribute(place, ofRow: prefetched.index)
    }
    held = values
    self.prefetched = nil
    overriddenSlots = SlotSet()
  }
}

/// Some of an entity's first 64 slots.
struct SlotSet: Hashable, Sendable {
  private var bits: UInt64 = 0

  var isEmpty: Bool { bits == 0 }

  func contains(_ slot: Int) -> Bool { slot < UInt64.bitWidth && bits & (1 << UInt64(slot)) != 0 }

  /// Returns false, and does nothing, if the slot is too high.
  mutating func insert(_ slot: Int) -> Bool {
    guard slot < UInt64.bitWidth else { return false }
    bits |= 1 << UInt64(slot)
    return true
  }
}
