extension UnsafeRawBufferPointer {
  /// A fast check: most text is ASCII, which is always valid UTF-8.
  package var isASCII: Bool {
    var (place, seen) = (0, UInt64(0))
    while place + 8 <= count {
      seen |= loadUnaligned(fromByteOffset: place, as: UInt64.self)
      place += 8
    }
    while place < count {
      seen |= UInt64(self[place])
      place += 1
    }
    return seen & 0x8080_8080_8080_8080 == 0
  }
}
