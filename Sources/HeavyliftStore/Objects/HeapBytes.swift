import HeavyliftModel

extension Value {
  /// The approximate number of bytes that the value has on the heap.
  var heapBytes: Int {
    switch self {
    case .string(let text), .uri(let text): text.utf8.count
    case .data(let data): data.count
    case .composite(let elements): elements.values.reduce(0) { $0 + $1.heapBytes }
    default: 0
    }
  }
}

extension AttributeType {
  /// True if values may have bytes on the heap, not only in the object itself.
  var mayBeBig: Bool {
    switch self {
    case .string, .uri, .binaryData, .transformable, .composite, .undefined: true
    default: false
    }
  }
}

extension ManagedObject {
  /// The approximate number of bytes that the values in memory have on the heap.
  var heapBytes: Int { heapBytes(runtime.heavySlots) }

  /// Returns the approximate number of bytes that the values of some attributes have on the heap.
  func heapBytes(_ slots: [Int]) -> Int {
    let values = held
    var bytes = 0
    for slot in slots where slot < values.count { bytes += values[slot].heapBytes }
    return bytes
  }
}
