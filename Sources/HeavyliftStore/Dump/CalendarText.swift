import HeavyliftModel

/// A moment as a date in the Gregorian calendar, with exactly the digits that yield the same double.
package struct CalendarText {
  let day: CivilDay
  let secondOfDay: Int
  /// The digits after the decimal point as a number.
  let fraction: Int
  let fractionDigits: Int

  /// Nil unless the moment is exactly a date with a four-digit year and at most 18 decimal places of a second.
  package init?(secondsSince2001 seconds: Double) {
    // Larger numbers are beyond four-digit years in any case.
    guard let exact = DecimalSeconds(seconds) else { return nil }
    (fraction, fractionDigits) = (exact.fraction, exact.fractionDigits)
    let days = floored(exact.whole, 86_400)
    secondOfDay = exact.whole - days * 86_400
    day = CivilDay(daysSince2001: days)
    guard (1...9999).contains(day.year) else { return nil }
  }
}
