import Foundation
import HeavyliftModel

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
