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

  /// True if the bytes are valid UTF-8, by table 3-7 of the Unicode standard. The standard library's `UTF8Span` needs
  /// Swift 6.2, and a string that is only validated would be copied.
  package var isUTF8: Bool {
    if isASCII { return true }
    func isTrailing(_ place: Int) -> Bool { place < count && self[place] & 0xC0 == 0x80 }
    var place = 0
    while place < count {
      let lead = self[place]
      if lead < 0x80 {
        place += 1
        continue
      }
      guard isTrailing(place + 1) else { return false }
      let second = self[place + 1]
      switch lead {
      case 0xC2...0xDF: place += 2
      case 0xE0...0xEF:
        // Longer than necessary, or a surrogate.
        let isForbidden = lead == 0xE0 && second < 0xA0 || lead == 0xED && second > 0x9F
        guard !isForbidden, isTrailing(place + 2) else { return false }
        place += 3
      case 0xF0...0xF4:
        // Longer than necessary, or above U+10FFFF.
        let isForbidden = lead == 0xF0 && second < 0x90 || lead == 0xF4 && second > 0x8F
        guard !isForbidden, isTrailing(place + 2), isTrailing(place + 3) else { return false }
        place += 4
      default: return false
      }
    }
    return true
  }
}
