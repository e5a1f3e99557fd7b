import HeavyliftModel

/// Some attributes of a new object, in a page that was read ahead.
struct MadeRow {
  let page: AheadPage
  let row: Int

  /// Whether an attribute is among them.
  func makes(_ slot: Int) -> Bool { page.contents.made.layout.places[slot] >= 0 }
}

/// New objects some of whose attributes are as SQLite gave them, unless somebody looks at one.
extension ManagedObject {
  /// The value at a slot.
  @inline(__always)
  func heldValue(at slot: Int) -> Value {
    if let made, made.makes(slot) { takeMade() }
    return held[slot]
  }

  /// Gives an attribute a value of its type.
  @inline(__always)
  func setHeld(_ value: Value, at slot: Int) {
    if let made, made.makes(slot) { takeMade() }
    held[slot] = value
  }

  /// Takes over what is in the page.
  func takeMade() {
    guard let made else { return }
    self.made = nil
    let values = made.page.contents.made
    for (place, slot) in values.layout.slots.enumerated() { held[slot] = values.value(at: made.row, place) }
  }
}
