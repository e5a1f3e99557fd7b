/// A day of the Gregorian calendar, which is extended to the centuries before it was introduced, as in ISO 8601.
package struct CivilDay: Hashable, Sendable {
  package var year: Int
  package var month: Int
  package var day: Int

  package init(_ year: Int, _ month: Int, _ day: Int) {
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// Counts in years that start in March, so that the leap day is a year's last day, and in eras of 400 years, all of
  /// the same length.
  package init(daysSince2001: Int) {
    let days = daysSince2001 + Self.offset
    let era = floored(days, 146_097)
    let dayOfEra = days - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    self.init(yearFromMarch: yearOfEra + era * 400, dayFromMarch: dayOfYear)
  }

  private init(yearFromMarch year: Int, dayFromMarch dayOfYear: Int) {
    let month = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * month + 2) / 5 + 1
    self = month < 10 ? CivilDay(year, month + 3, day) : CivilDay(year + 1, month - 9, day)
  }

  /// March 1 of the year 0 is this many days before January 1, 2001.
  private static let offset = 730_791

  /// True if the year has the month, and the month the day.
  package var exists: Bool { has(leapDay: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)) }

  package var daysSince2001: Int { daysFromMarch - yearFromMarch / 100 + yearFromMarch / 400 - Self.offset }

  private var yearFromMarch: Int { month > 2 ? year : year - 1 }

  /// The number of days in a calendar in which every fourth year is a leap year.
  private var daysFromMarch: Int {
    yearFromMarch * 365 + yearFromMarch / 4 + (153 * ((month + 9) % 12) + 2) / 5 + day - 1
  }

  private func has(leapDay: Bool) -> Bool {
    switch month {
    case 2: (1...(leapDay ? 29 : 28)).contains(day)
    case 4, 6, 9, 11: (1...30).contains(day)
    case 1...12: (1...31).contains(day)
    default: false
    }
  }
}

// MARK: The Julian calendar

extension CivilDay {
  /// October 15, 1582, the first day of the Gregorian calendar in Foundation's date formatters. The day before is
  /// October 4 of the Julian calendar.
  private static let firstGregorian = CivilDay(1582, 10, 15).daysSince2001

  /// The two calendars differ by this many days in the year 0.
  private static let julianOffset = offset + 2

  /// Creates the day that Foundation's date formatters show: in the Julian calendar before October 15, 1582.
  package init(shownDaysSince2001 days: Int) {
    guard days < Self.firstGregorian else {
      self.init(daysSince2001: days)
      return
    }
    let days = days + Self.julianOffset
    let year = floored(4 * days + 3, 1_461)
    self.init(yearFromMarch: year, dayFromMarch: days - (365 * year + floored(year, 4)))
  }

  /// Reads the day as Foundation's date formatters do; returns `nil` for a day that does not exist, such as February 30
  /// and October 10, 1582.
  package var daysSince2001AsShown: Int? {
    let gregorian = daysSince2001
    if gregorian >= Self.firstGregorian { return exists ? gregorian : nil }
    let julian = daysFromMarch - Self.julianOffset
    return has(leapDay: year % 4 == 0) && julian < Self.firstGregorian ? julian : nil
  }
}

/// Divides and rounds down, also below zero.
package func floored(_ number: Int, _ divisor: Int) -> Int {
  number >= 0 ? number / divisor : -((divisor - 1 - number) / divisor)
}
