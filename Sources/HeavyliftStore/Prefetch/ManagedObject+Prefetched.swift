import HeavyliftModel

/// New objects whose prefetched attributes are decoded when one of them is read.
extension ManagedObject {
  /// Returns the value of the attribute at a slot.
  @inline(__always)
  func heldValue(at slot: Int) -> Value {
    if let prefetched, prefetched.page.attributes.columnIndexes[slot] >= 0 { takePrefetched() }
    return held[slot]
  }

  /// Sets the attribute at a slot to a value of its type.
  @inline(__always)
  func setHeld(_ value: Value, at slot: Int) {
    if let prefetched, prefetched.page.attributes.columnIndexes[slot] >= 0 { takePrefetched() }
    replaceHeld(value, at: slot)
  }

  /// Decodes the prefetched attributes, and releases the page.
  func takePrefetched() {
    guard let prefetched else { return }
    self.prefetched = nil
    var values = held
    held = []
    for (place, column) in prefetched.page.attributes.columns.enumerated() {
      values[column.slot] = prefetched.page.attribute(place, ofRow: prefetched.index)
    }
    held = values
  }
}
