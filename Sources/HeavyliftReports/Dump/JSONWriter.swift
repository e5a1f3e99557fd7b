public import Foundation
import HeavyliftModel

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

extension JSONWriter {
  /// Writes any value, in the form that dumps use.
  mutating func value(_ value: Value) throws {
    switch value {
    case .null: null()
    case .bool(let value): bool(value)
    case .integer(let value): integer(value)
    case .double(let value): double(value)
    case .decimal(let value): decimal(value)
    case .string(let text), .uri(let text): try string(text)
    case .date(let date): self.date(date.timeIntervalSinceReferenceDate)
    case .uuid(let value): raw("\"\(value.uuidString)\"")
    case .data(let bytes): try bytes.withUnsafeBytes { try data($0) }
    case .composite(let elements):
      byte(UInt8(ascii: "{"))
      for (offset, name) in elements.keys.sorted(by: { $0.precedesInCodeUnits($1) }).enumerated() {
        if offset > 0 { byte(UInt8(ascii: ",")) }
        try string(name)
        byte(UInt8(ascii: ":"))
        try self.value(elements[name] ?? .null)
      }
      byte(UInt8(ascii: "}"))
    }
  }

  /// Writes the digits as a string, because readers that parse JSON numbers as doubles would lose some. Omits trailing
  /// zeros.
  mutating func decimal(_ value: Decimal) {
    byte(UInt8(ascii: "\""))
    var digits = Array(value.description.utf8)
    if digits.contains(UInt8(ascii: ".")) {
      while digits.last == UInt8(ascii: "0") { digits.removeLast() }
      if digits.last == UInt8(ascii: ".") { digits.removeLast() }
    }
    raw(digits)
    byte(UInt8(ascii: "\""))
  }

  /// Writes a UUID, given as 16 bytes.
  mutating func uuid(_ bytes: UnsafeRawBufferPointer) {
    byte(UInt8(ascii: "\""))
    for (offset, value) in bytes.enumerated() {
      if offset == 4 || offset == 6 || offset == 8 || offset == 10 { byte(UInt8(ascii: "-")) }
      byte(Self.upperDigits[Int(value >> 4)])
      byte(Self.upperDigits[Int(value & 0xF)])
    }
    byte(UInt8(ascii: "\""))
  }

  /// Writes a moment, given in seconds since 2001, as an ISO 8601 date that reads back as the same double, or as
  /// `{"seconds":…}` if no date with a four-digit year does.
  mutating func date(_ seconds: Double) {
    guard let text = CalendarText(secondsSince2001: seconds) else {
      raw("{\"seconds\":")
      double(seconds)
      byte(UInt8(ascii: "}"))
      return
    }
    byte(UInt8(ascii: "\""))
    padded(text.day.year, 4)
    byte(UInt8(ascii: "-"))
    padded(text.day.month, 2)
    byte(UInt8(ascii: "-"))
    padded(text.day.day, 2)
    byte(UInt8(ascii: "T"))
    padded(text.secondOfDay / 3600, 2)
    byte(UInt8(ascii: ":"))
    padded(text.secondOfDay / 60 % 60, 2)
    byte(UInt8(ascii: ":"))
    padded(text.secondOfDay % 60, 2)
    if text.fractionDigits > 0 {
      byte(UInt8(ascii: "."))
      padded(text.fraction, text.fractionDigits)
    }
    raw("Z\"")
  }

  /// Writes the last `count` digits of a nonnegative number, padded with zeros.
  private mutating func padded(_ number: Int, _ count: Int) {
    var divisor = 1
    for _ in 1..<count { divisor *= 10 }
    while divisor > 0 {
      byte(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / divisor % 10))
      divisor /= 10
    }
  }

  private static let upperDigits = Array("0123456789ABCDEF".utf8)
}

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

/// Pieces of JSON that are prepared once and written many times.
package enum JSONText {
  /// A member's name with its punctuation: `{"title":` or `,"title":`.
  static func member(_ name: String, isFirst: Bool) -> [UInt8] {
    [UInt8(ascii: isFirst ? "{" : ",")] + string(name) + [UInt8(ascii: ":")]
  }

  /// A JSON string, including the quotes, as text.
  package static func quoted(_ text: String) -> String { String(decoding: string(text), as: UTF8.self) }

  /// A value as a dump writes it.
  package static func value(_ value: Value) -> String {
    var writer = JSONWriter(MemorySink(), capacity: .max >> 1, reserving: 0)
    // The buffer is never flushed to the sink, so this cannot fail.
    try? writer.value(value)
    return String(decoding: writer.buffer, as: UTF8.self)
  }

  /// A JSON string, including the quotes.
  static func string(_ text: String) -> [UInt8] {
    var writer = JSONWriter(MemorySink(), capacity: .max >> 1, reserving: 0)
    // The buffer is never flushed to the sink, so this cannot fail.
    try? writer.string(text)
    return writer.buffer
  }
}

/// Receives output bytes, in pieces of any size.
public protocol ByteSink: AnyObject {
  /// Writes all of the bytes, or throws.
  func write(_ bytes: UnsafeRawBufferPointer) throws
}

/// Collects bytes in memory: for small dumps and for tests.
public final class MemorySink: ByteSink {
  /// The bytes written so far.
  public private(set) var data = Data()

  /// Creates an empty sink.
  public init() {}

  public func write(_ bytes: UnsafeRawBufferPointer) throws { data.append(contentsOf: bytes) }

  /// The output as text.
  public var text: String { String(decoding: data, as: UTF8.self) }
}

/// Writes bytes to an open file, a pipe or a terminal, unbuffered.
public final class FileSink: ByteSink {
  private let handle: FileHandle

  /// Creates a sink for an open file, which the caller closes.
  public init(_ handle: FileHandle) { self.handle = handle }

  public func write(_ bytes: UnsafeRawBufferPointer) throws {
    var rest = bytes
    while !rest.isEmpty {
      let count = Foundation.write(handle.fileDescriptor, rest.baseAddress, rest.count)
      if count < 0 {
        if errno == EINTR { continue }
        throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
      }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }
}
