/// Memory for the texts of rows while they are written. Without it, SQLite would allocate memory for each text from a
/// heap that all connections share.
final class TextBuffer {
  private var start: UnsafeMutablePointer<UInt8>
  private var capacity = 4_096
  private var count = 0

  init() { start = .allocate(capacity: capacity) }

  deinit { start.deallocate() }

  /// Discards all texts and reserves memory for new ones. Buffers that were returned before are no longer valid.
  func clear(reserving bytes: Int) {
    count = 0
    guard bytes > capacity else { return }
    start.deallocate()
    capacity = bytes
    start = .allocate(capacity: bytes)
  }

  /// Copies a text, for which memory must be reserved. The copy is valid until the next `clear(reserving:)`.
  func append(_ text: String) -> UnsafeBufferPointer<UInt8> {
    var text = text
    let place = start + count
    let length = text.withUTF8 { utf8 in
      precondition(count + utf8.count <= capacity, "there is no room for these bytes")
      if let first = utf8.baseAddress { place.update(from: first, count: utf8.count) }
      return utf8.count
    }
    count += length
    return UnsafeBufferPointer(start: place, count: length)
  }
}
