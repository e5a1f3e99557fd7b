import HeavyliftModel

extension CalendarText {
  /// Parses a date as dumps write it, `2001-01-31T23:59:59.5Z`, and returns exactly the same double.
  package static func secondsSince2001(_ text: String) -> Double? {
    var bytes = Array(text.utf8)[...]
    func number(_ count: Int, before separator: UInt8?) -> Int? {
      guard bytes.count >= count + (separator == nil ? 0 : 1) else { return nil }
      var value = 0
      for byte in bytes.prefix(count) {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        value = value * 10 + Int(byte - UInt8(ascii: "0"))
      }
      bytes = bytes.dropFirst(count)
      if let separator {
        guard bytes.first == separator else { return nil }
        bytes = bytes.dropFirst()
      }
      return value
    }
    guard let year = number(4, before: UInt8(ascii: "-")), let month = number(2, before: UInt8(ascii: "-")),
      let day = number(2, before: UInt8(ascii: "T")), let hour = number(2, before: UInt8(ascii: ":")),
      let minute = number(2, before: UInt8(ascii: ":")), let second = number(2, before: nil),
      year > 0, CivilDay(year, month, day).exists, hour < 24, minute < 60, second < 60
    else { return nil }
    let days = CivilDay(year, month, day).daysSince2001
    var seconds = DecimalSeconds(whole: days * 86_400 + hour * 3_600 + minute * 60 + second)
    if bytes.first == UInt8(ascii: ".") {
      let digits = bytes.dropFirst().prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      guard (1...DecimalSeconds.mostDigits).contains(digits.count) else { return nil }
      seconds.fraction = Int(String(decoding: digits, as: UTF8.self)) ?? 0
      seconds.fractionDigits = digits.count
      bytes = bytes.dropFirst(1 + digits.count)
    }
    return bytes.elementsEqual([UInt8(ascii: "Z")]) ? seconds.double : nil
  }
}
