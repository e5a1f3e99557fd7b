import HeavyliftModel

extension Value {
  /// About how many bytes it holds elsewhere.
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
  /// Whether values may need more memory than their place in an object.
  var mayBeBig: Bool {
    switch self {
    case .string, .uri, .binaryData, .transformable, .composite, .undefined: true
    default: false
    }
  }
}

extension ManagedObject {
  /// About how many bytes those of its attributes hold elsewhere that are known.
  var heapBytes: Int {
    var bytes = 0
    for slot in runtime.heavySlots where slot < held.count { bytes += held[slot].heapBytes }
    return bytes
  }
}
