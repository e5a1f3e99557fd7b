import Foundation

/// Reads the parts of a date from a string, from left to right.
struct DateScanner {
  private let bytes: [UInt8]
  private var place = 0

  init(_ text: String) throws(DateFlaw) {
    if text.isEmpty { throw .empty }
    bytes = Array(text.utf8)
  }

  var isAtEnd: Bool { place == bytes.count }

  func expectEnd() throws(DateFlaw) {
    if !isAtEnd { throw .excess(at: character) }
  }

  /// The number of the next character, from 1.
  private var character: Int { String(decoding: bytes[..<place], as: UTF8.self).count + 1 }

  private func expected(_ part: String) -> DateFlaw { .expected(part, at: character) }

  /// True if the next byte is this one.
  func isBefore(_ byte: Unicode.Scalar) -> Bool { place < bytes.count && bytes[place] == UInt8(ascii: byte) }

  mutating func skip(_ byte: Unicode.Scalar) -> Bool {
    guard isBefore(byte) else { return false }
    place += 1
    return true
  }

  private func digit(at place: Int) -> Int? {
    guard place < bytes.count, bytes[place] &- UInt8(ascii: "0") < 10 else { return nil }
    return Int(bytes[place] &- UInt8(ascii: "0"))
  }

  /// The number of digits from here on.
  var digitCount: Int {
    var count = 0
    while digit(at: place + count) != nil { count += 1 }
    return count
  }

  /// Reads a number with at least and at most so many digits.
  mutating func number(_ digits: ClosedRange<Int>, _ part: String) throws(DateFlaw) -> Int {
    let start = place
    var number = 0
    while place - start < digits.upperBound, let digit = digit(at: place) {
      number = number * 10 + digit
      place += 1
    }
    guard place - start >= digits.lowerBound else {
      place = start
      throw expected(part)
    }
    return number
  }

  mutating func number(_ digits: Int, _ part: String, in range: ClosedRange<Int>) throws(DateFlaw) -> Int {
    // One letter in a format is a number with or without a leading zero.
    let number = try number(digits == 1 ? 1...2 : digits...digits, part)
    guard range.contains(number) else { throw .outside(part) }
    return number
  }

  mutating func literal(_ text: String) throws(DateFlaw) {
    guard bytes[place...].starts(with: text.utf8) else { throw expected("'\(text)'") }
    place += text.utf8.count
  }

  /// Reads the longest of the names that comes next, in uppercase or lowercase, and returns its index.
  mutating func name(_ names: [String], _ part: String) throws(DateFlaw) -> Int {
    // Foundation's comparison takes a hundred times as long, and most strings are spelled like the names.
    let found = longest(of: names, prefix: lengthOfSame) ?? longest(of: names, prefix: lengthOfSimilar)
    guard let found else { throw expected(part) }
    place += found.length
    return found.index
  }

  private func longest(of names: [String], prefix length: (String) -> Int?) -> (index: Int, length: Int)? {
    var found: (index: Int, length: Int)?
    for (index, name) in names.enumerated() {
      // The names of months in two forms.
      if let length = length(name), length > found?.length ?? 0 { found = (index % 12, length) }
    }
    return found
  }

  private func lengthOfSame(_ name: String) -> Int? {
    bytes[place...].starts(with: name.utf8) ? name.utf8.count : nil
  }

  private func lengthOfSimilar(_ name: String) -> Int? {
    let rest = String(decoding: bytes[place...], as: UTF8.self)
    return rest.range(of: name, options: [.anchored, .caseInsensitive]).map { rest[$0].utf8.count }
  }

  /// Reads a difference from universal time: `Z`, `+01`, `+0100`, `+01:00` or `+00:53:28`.
  mutating func offset() throws(DateFlaw) -> Int {
    let part = "time zone"
    if skip("Z") { return 0 }
    let sign = isBefore("-") ? -1 : 1
    guard skip("+") || skip("-") else { throw expected(part) }
    let hours = try number(2...2, part)
    var (minutes, seconds) = (0, 0)
    if skip(":") {
      minutes = try number(2...2, part)
      if skip(":") { seconds = try number(2...2, part) }
    } else if digitCount > 0 {
      minutes = try number(2...2, part)
      if digitCount > 0 { seconds = try number(2...2, part) }
    }
    guard hours < 24, minutes < 60, seconds < 60 else { throw .outside(part) }
    return sign * (hours * 3_600 + minutes * 60 + seconds)
  }
}
