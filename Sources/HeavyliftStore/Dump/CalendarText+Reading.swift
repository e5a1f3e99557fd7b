extension CalendarText {
  /// Parses a date as dumps write it, `2001-01-31T23:59:59.5Z`, and returns exactly the same double.
  ///
  /// The whole seconds and the fraction are joined as decimal digits and parsed as one number.
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
      year > 0, (1...12).contains(month), (1...days(in: month, of: year)).contains(day), hour < 24, minute < 60,
      second < 60
    else { return nil }
    let whole = daysSince2001(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second
    var fraction: [UInt8] = []
    if bytes.first == UInt8(ascii: ".") {
      fraction = bytes.dropFirst().prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.map(\.self)
      guard (1...18).contains(fraction.count) else { return nil }
      bytes = bytes.dropFirst(1 + fraction.count)
    }
    guard bytes.elementsEqual([UInt8(ascii: "Z")]) else { return nil }
    if fraction.allSatisfy({ $0 == UInt8(ascii: "0") }) { return Double(whole) }
    guard whole < 0 else { return Double("\(whole).\(String(decoding: fraction, as: UTF8.self))") }
    // Before 2001, the fraction is added to a negative number: -1 s plus .25 s is -0.75 s.
    var one = 1
    for _ in fraction { one *= 10 }
    let rest = "\(one - (Int(String(decoding: fraction, as: UTF8.self)) ?? 0))"
    let zeros = String(repeating: "0", count: fraction.count - rest.utf8.count)
    return Double("-\(-(whole + 1)).\(zeros)\(rest)")
  }

  private static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Counts in years that start in March, so that the leap day is a year's last day.
  private static func daysSince2001(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let shifted = month > 2 ? year : year - 1
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 730_791
  }
}
