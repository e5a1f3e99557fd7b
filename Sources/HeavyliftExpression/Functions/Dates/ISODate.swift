import Foundation
import HeavyliftModel

/// Dates in the format of ISO 8601: `2024-01-31`, or with a time as in `2024-01-31T12:00:00.5+01:00`, also without dashes
/// and colons.
enum ISODate {
  /// Returns the moment that a string is.
  ///
  /// - Parameter zone: The time zone of strings that give none. If it is `nil`, such a string must be a day, which starts
  ///   at midnight in universal time.
  /// - Throws: `DateFlaw` unless the whole string is a date that exists.
  static func date(_ text: String, in zone: DateZone?) throws(DateFlaw) -> Date {
    var scanner = try DateScanner(text)
    var parts = DateParts()
    parts.day.year = try scanner.number(4...4, "year")
    let isExtended = scanner.isBefore("-")
    if isExtended { try scanner.literal("-") }
    parts.day.month = try scanner.number(2, "month", in: 1...12)
    if isExtended { try scanner.literal("-") }
    parts.day.day = try scanner.number(2, "day", in: 1...31)
    if scanner.isAtEnd { return try parts.date(in: zone ?? .fixed(0)) }
    try scanner.literal("T")
    try readTime(&scanner, &parts, isExtended: isExtended)
    if !scanner.isAtEnd {
      parts.offset = try scanner.offset()
    } else if zone == nil {
      throw .missingTimeZone
    }
    try scanner.expectEnd()
    return try parts.date(in: zone ?? .fixed(0))
  }

  private static func readTime(
    _ scanner: inout DateScanner, _ parts: inout DateParts, isExtended: Bool
  ) throws(DateFlaw) {
    parts.hour = try scanner.number(2, "hour", in: 0...23)
    if isExtended { try scanner.literal(":") }
    parts.minute = try scanner.number(2, "minute", in: 0...59)
    guard isExtended ? scanner.skip(":") : scanner.digitCount > 0 else { return }
    parts.second = try scanner.number(2, "second", in: 0...59)
    guard scanner.skip(".") || scanner.skip(",") else { return }
    parts.fractionDigits = max(1, min(scanner.digitCount, DecimalSeconds.mostDigits))
    parts.fraction = try scanner.number(parts.fractionDigits...parts.fractionDigits, "fraction of a second")
  }

  /// Returns the moment in universal time, with as many digits as read back as the same moment; `nil` if its year does not have
  /// up to four digits.
  static func string(_ date: Date) -> String? {
    let seconds = date.timeIntervalSinceReferenceDate
    guard seconds.magnitude < 1e12 else { return nil }
    let exact =
      DecimalSeconds(seconds) ?? DecimalSeconds(seconds, roundedTo: DateFormat.Field.mostFractionDigits)
    guard let parts = DateParts(exact.whole, in: .fixed(0)) else { return nil }
    func two(_ number: Int) -> String { DecimalSeconds.padded(number, to: 2) }
    let day = "\(DecimalSeconds.padded(parts.day.year, to: 4))-\(two(parts.day.month))-\(two(parts.day.day))"
    let fraction =
      exact.fractionDigits == 0 ? "" : "." + DecimalSeconds.padded(exact.fraction, to: exact.fractionDigits)
    return "\(day)T\(two(parts.hour ?? 0)):\(two(parts.minute)):\(two(parts.second))\(fraction)Z"
  }
}
