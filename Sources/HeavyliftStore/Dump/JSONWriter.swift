/// Writes JSON in one canonical form, through a buffer: no white space, and only the escapes that JSON requires, as
/// in RFC 8785.
///
/// Callers write commas and braces themselves: their output has a fixed shape, and they prepare parts of it once for
/// millions of lines.
struct JSONWriter {
  private(set) var buffer: [UInt8] = []
  private let sink: any ByteSink
  private let capacity: Int

  init(_ sink: any ByteSink, capacity: Int = 1 << 16, reserving reserved: Int = 1 << 16) {
    self.sink = sink
    self.capacity = capacity
    buffer.reserveCapacity(reserved)
  }

  /// Flushes the buffer to the sink.
  mutating func flush() throws {
    guard !buffer.isEmpty else { return }
    try buffer.withUnsafeBytes { try sink.write($0) }
    buffer.removeAll(keepingCapacity: true)
  }

  /// Flushes if the buffer is full. Call it between pieces of bounded size.
  @inline(__always)
  mutating func flushIfFull() throws { if buffer.count >= capacity { try flush() } }

  mutating func discard() { buffer.removeAll(keepingCapacity: true) }

  @inline(__always)
  mutating func byte(_ byte: UInt8) { buffer.append(byte) }

  /// Writes text that is already JSON.
  @inline(__always)
  mutating func raw(_ bytes: [UInt8]) { buffer.append(contentsOf: bytes) }

  /// Writes text that is already JSON.
  mutating func raw(_ text: String) { buffer.append(contentsOf: text.utf8) }

  mutating func integer(_ value: Int64) {
    var magnitude = value.magnitude
    if magnitude < 10 {
      if value < 0 { buffer.append(UInt8(ascii: "-")) }
      buffer.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: magnitude))
      return
    }
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var start = 20
      while magnitude > 0 {
        let (quotient, remainder) = magnitude.quotientAndRemainder(dividingBy: 10)
        start -= 1
        digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: remainder)
        magnitude = quotient
      }
      if value < 0 { buffer.append(UInt8(ascii: "-")) }
      buffer.append(contentsOf: digits[start..<20])
    }
  }

  mutating func bool(_ value: Bool) { raw(value ? "true" : "false") }

  mutating func null() { raw("null") }

  /// Writes the shortest digits that yield the same number. JSON has no infinities or NaN, so these become strings.
  mutating func double(_ value: Double) {
    if value.isFinite {
      raw(value.description)
    } else {
      raw(value.isNaN ? "\"NaN\"" : value < 0 ? "\"-Infinity\"" : "\"Infinity\"")
    }
  }

  mutating func string(_ text: String) throws {
    var text = text
    try text.withUTF8 { try string(validUTF8: $0) }
  }

  /// Writes text that is already UTF-8; returns false, and writes nothing, if it is not valid.
  mutating func string(_ utf8: UnsafeBufferPointer<UInt8>) throws -> Bool {
    guard UnsafeRawBufferPointer(utf8).isUTF8 else { return false }
    try string(validUTF8: utf8)
    return true
  }

  private mutating func string(validUTF8 utf8: UnsafeBufferPointer<UInt8>) throws {
    buffer.append(UInt8(ascii: "\""))
    var start = 0
    for index in utf8.indices {
      let byte = utf8[index]
      guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
      try run(utf8, start, index)
      escape(byte)
      start = index + 1
    }
    try run(utf8, start, utf8.count)
    buffer.append(UInt8(ascii: "\""))
  }

  /// Writes text that needs no escapes, in pieces, so that the buffer stays small.
  private mutating func run(_ utf8: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) throws {
    var start = start
    while start < end {
      let next = min(end, start + 1 << 15)
      buffer.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start..<next]))
      try flushIfFull()
      start = next
    }
  }

  private mutating func escape(_ byte: UInt8) {
    buffer.append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): buffer.append(byte)
    case 0x08: buffer.append(UInt8(ascii: "b"))
    case 0x09: buffer.append(UInt8(ascii: "t"))
    case 0x0A: buffer.append(UInt8(ascii: "n"))
    case 0x0C: buffer.append(UInt8(ascii: "f"))
    case 0x0D: buffer.append(UInt8(ascii: "r"))
    default:
      raw("u00")
      buffer.append(Self.hexadecimalDigits[Int(byte >> 4)])
      buffer.append(Self.hexadecimalDigits[Int(byte & 0xF)])
    }
  }

  private static let hexadecimalDigits = Array("0123456789abcdef".utf8)
}
