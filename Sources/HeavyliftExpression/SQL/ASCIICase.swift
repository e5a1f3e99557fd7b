/// What a function makes of a text that is ASCII alone: one kind of letters becomes the other, byte by byte.
///
/// There is no need to look at such a text as a string, which costs many times as much.
public enum ASCIICase: Sendable {
  case upper
  case lower

  /// Writes what becomes of a text into memory of the same size; false if the text is not ASCII alone.
  public func write(_ text: UnsafeBufferPointer<UInt8>, into result: UnsafeMutableBufferPointer<UInt8>) -> Bool {
    let first = self == .upper ? UInt8(ascii: "a") : UInt8(ascii: "A")
    var all: UInt8 = 0
    for index in text.indices {
      let byte = text[index]
      all |= byte
      // The two kinds differ in one bit.
      result.initializeElement(at: index, to: byte ^ (byte &- first < 26 ? 0x20 : 0))
    }
    return all < 0x80
  }
}
