import HeavyliftModel

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
