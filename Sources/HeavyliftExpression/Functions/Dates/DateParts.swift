import Foundation
import HeavyliftModel

/// The parts of a date that a string gives.
struct DateParts {
  var day = CivilDay(1, 1, 1)
  var weekday: Int?
  var hour: Int?
  var minute = 0
  var second = 0
  /// 0 before noon, 1 after.
  var half: Int?
  var fraction = 0
  var fractionDigits = 0
  /// The difference from universal time, if the string gives it.
  var offset: Int?

  /// Returns the moment that the parts describe.
  ///
  /// - Throws: `DateFlaw` if there is no such moment.
  func date(in zone: DateZone) throws(DateFlaw) -> Date {
    guard (1...9999).contains(day.year) else { throw .outside("year") }
    guard (1...12).contains(day.month) else { throw .outside("month") }
    guard let days = day.daysSince2001AsShown else { throw .noSuchDay }
    // January 1, 2001, was a Monday; weekdays start with Sunday.
    if let weekday, floored(days + 1, 7) * 7 + weekday != days + 1 { throw .otherWeekday }
    let time = ((hour ?? 0) + 12 * (half ?? 0)) * 3_600 + minute * 60 + second
    let local = days * 86_400 + time
    let moment = offset.map { local - $0 } ?? zone.moment(ofLocal: local, isWholeDay: hour == nil)
    guard let moment else { throw .skippedTime }
    let seconds = DecimalSeconds(whole: moment, fraction: fraction, fractionDigits: fractionDigits)
    guard let exact = seconds.double else { throw .outside("fraction of a second") }
    return Date(timeIntervalSinceReferenceDate: exact)
  }
}

extension DateParts {
  /// Reads the parts of a moment from clocks in a time zone; returns `nil` if the year does not have four digits.
  init?(_ moment: Int, in zone: DateZone) {
    let offset = zone.offset(at: moment)
    let local = moment + offset
    let days = floored(local, 86_400)
    let time = local - days * 86_400
    day = CivilDay(shownDaysSince2001: days)
    guard (1...9999).contains(day.year) else { return nil }
    weekday = days + 1 - floored(days + 1, 7) * 7
    (hour, minute, second) = (time / 3_600, time / 60 % 60, time % 60)
    self.offset = offset
  }
}

/// The reason why a string is not a date in a certain format, without the string.
package enum DateFlaw: Error, Hashable, Sendable {
  case empty
  /// The place counts characters from 1.
  case expected(String, at: Int)
  case outside(String)
  case noSuchDay
  case otherWeekday
  /// The clocks of the time zone skip this time.
  case skippedTime
  case excess(at: Int)
  case missingTimeZone
}
