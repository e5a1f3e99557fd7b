/// What a function makes of a text that is ASCII alone: one kind of letters becomes the other, byte by byte.
///
/// There is no need to look at such a text as a string, which costs many times as much.
public enum ASCIICase: Sendable {
  case upper
  case lower

  /// Writes what becomes of a text into memory of the same size; false if the text is not ASCII alone.
  public func write(_ text: UnsafeBufferPointer<UInt8>, into result: UnsafeMutableBufferPointer<UInt8>) -> Bool {
    var all: UInt8 = 0
    for index in text.indices {
      let byte = text[index]
      all |= byte
      result.initializeElement(at: index, to: changed(byte))
    }
    return all < 0x80
  }

  /// What becomes of one character.
  @inline(__always)
  func changed(_ byte: UInt8) -> UInt8 {
    let first = self == .upper ? UInt8(ascii: "a") : UInt8(ascii: "A")
    // The two kinds differ in one bit.
    return byte ^ (byte &- first < 26 ? 0x20 : 0)
  }
}
