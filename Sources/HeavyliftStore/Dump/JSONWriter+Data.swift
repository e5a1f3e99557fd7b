import Foundation

extension JSONWriter {
  /// Writes bytes in Base64.
  mutating func data(_ bytes: UnsafeRawBufferPointer) throws {
    byte(UInt8(ascii: "\""))
    try base64(bytes)
    byte(UInt8(ascii: "\""))
  }

  /// Writes a file's bytes in Base64, piece by piece, because a file may be larger than memory.
  mutating func data(of file: FileHandle) throws {
    byte(UInt8(ascii: "\""))
    var pending = Data()
    while let piece = try file.read(upToCount: 3 << 14), !piece.isEmpty {
      pending.append(piece)
      // Base64 encodes groups of three bytes; an incomplete group waits for the next piece.
      let whole = pending.count / 3 * 3
      try pending.prefix(whole).withUnsafeBytes { try base64($0) }
      pending = Data(pending.dropFirst(whole))
    }
    try pending.withUnsafeBytes { try base64($0) }
    byte(UInt8(ascii: "\""))
  }

  private mutating func base64(_ bytes: UnsafeRawBufferPointer) throws {
    var index = 0
    let whole = bytes.count / 3 * 3
    while index < whole {
      let end = min(whole, index + 3 << 12)
      while index < end {
        group(UInt32(bytes[index]) << 16 | UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index + 2]), count: 4)
        index += 3
      }
      try flushIfFull()
    }
    switch bytes.count - whole {
    case 1:
      group(UInt32(bytes[index]) << 16, count: 2)
      raw("==")
    case 2:
      group(UInt32(bytes[index]) << 16 | UInt32(bytes[index + 1]) << 8, count: 3)
      raw("=")
    default: break
    }
  }

  /// Writes the first `count` Base64 digits of 24 bits.
  @inline(__always)
  private mutating func group(_ bits: UInt32, count: Int) {
    var shift: UInt32 = 18
    for _ in 0..<count {
      byte(Self.base64Digits[Int(bits >> shift & 63)])
      shift &-= 6
    }
  }

  private static let base64Digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
}
