/// A moment as a date in the Gregorian calendar, with exactly the digits that yield the same double.
///
/// The double's shortest decimal representation is split into date, time and fraction without rounding. A reader that
/// adds the whole seconds and the fraction as decimals gets the same double.
package struct CalendarText {
  let year: Int
  let month: Int
  let day: Int
  let secondOfDay: Int
  /// The digits after the decimal point as a number.
  let fraction: Int
  let fractionDigits: Int

  /// Nil unless the moment is exactly a date with a four-digit year and at most 18 decimal places of a second.
  package init?(secondsSince2001 seconds: Double) {
    // In this range, the shortest digits have no exponent. Larger numbers are beyond four-digit years in any case.
    guard seconds == 0 ? seconds.sign == .plus : seconds.magnitude >= 1e-4 && seconds.magnitude < 1e12 else {
      return nil
    }
    var whole = 0
    var fraction = 0
    var fractionDigits = 0
    var isFraction = false
    if let exact = Int(exactly: seconds) {
      whole = exact
    } else {
      for byte in seconds.magnitude.description.utf8 {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
          let digit = Int(byte - UInt8(ascii: "0"))
          if isFraction {
            guard fractionDigits < 18 else { return nil }
            fraction = fraction * 10 + digit
            fractionDigits += 1
          } else {
            whole = whole * 10 + digit
          }
        case UInt8(ascii: "."): isFraction = true
        default: return nil
        }
      }
      if seconds < 0 {
        whole = -whole - 1
        var one = 1
        for _ in 0..<fractionDigits { one *= 10 }
        fraction = one - fraction
      }
    }
    self.fraction = fraction
    self.fractionDigits = fractionDigits
    secondOfDay = whole - Self.floored(whole, 86_400) * 86_400
    (year, month, day) = Self.civil(daysSince2001: Self.floored(whole, 86_400))
    guard (1...9999).contains(year) else { return nil }
  }

  private static func floored(_ number: Int, _ divisor: Int) -> Int {
    number >= 0 ? number / divisor : -((divisor - 1 - number) / divisor)
  }

  /// Counts in years that start in March, so that the leap day is a year's last day, and in eras of 400 years, all of
  /// the same length.
  private static func civil(daysSince2001: Int) -> (year: Int, month: Int, day: Int) {
    // March 1 of the year 0 is 730,791 days before January 1, 2001.
    let days = daysSince2001 + 730_791
    let era = floored(days, 146_097)
    let dayOfEra = days - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * month + 2) / 5 + 1
    let year = yearOfEra + era * 400
    return month < 10 ? (year, month + 3, day) : (year + 1, month - 9, day)
  }
}
