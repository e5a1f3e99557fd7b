import HeavyliftModel

/// The transient attributes of a store under construction. Its objects are released when they are written, but their
/// transient values last until the end, as in a context that saves once.
extension ManagedObjectContext {
  /// Keeps the transient values of an object that is being written.
  func keepTransients(of object: ManagedObject) {
    guard !object.runtime.transientSlots.isEmpty else { return }
    let (runtime, key) = (object.runtime, object.objectKey)
    var values: [Int: Value] = [:]
    for slot in runtime.transientSlots {
      let value = object.heldValue(at: slot)
      if !value.isIdentical(to: runtime.defaults[slot]) { values[slot] = value }
    }
    if !values.isEmpty || transientValues[key] != nil { transientValues[key] = values.isEmpty ? nil : values }
  }

  /// Sets the transient attributes of an object that was read again.
  func restoreTransients(of object: ManagedObject) {
    let kept = transientValues[object.objectKey]
    for slot in object.runtime.transientSlots {
      object.replaceHeld(kept?[slot] ?? object.runtime.defaults[slot], at: slot)
    }
  }
}
