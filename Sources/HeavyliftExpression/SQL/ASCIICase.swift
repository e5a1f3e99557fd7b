/// The case conversion of pure ASCII text, byte by byte.
///
/// Converting such text as a `String` would take many times as long.
package enum ASCIICase: Sendable {
  case upper
  case lower

  /// Writes the converted text to a buffer of the same size; returns false if the text is not pure ASCII.
  package func write(_ text: UnsafeBufferPointer<UInt8>, into result: UnsafeMutableBufferPointer<UInt8>) -> Bool {
    var all: UInt8 = 0
    for index in text.indices {
      let byte = text[index]
      all |= byte
      result.initializeElement(at: index, to: changed(byte))
    }
    return all < 0x80
  }

  /// Returns the converted character.
  @inline(__always)
  func changed(_ byte: UInt8) -> UInt8 {
    let first = self == .upper ? UInt8(ascii: "a") : UInt8(ascii: "A")
    // Uppercase and lowercase differ in one bit.
    return byte ^ (byte &- first < 26 ? 0x20 : 0)
  }
}
