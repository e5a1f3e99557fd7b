import Foundation
import Testing

@testable import HeavyliftModel

/// Days in both calendars, one after the other.
struct CivilDayTests {
  @Test func `every day of the first 2,400 years follows the day before it`() {
    var (before, number) = (CivilDay(0, 12, 31), CivilDay(1, 1, 1).daysSince2001)
    while number < CivilDay(2400, 1, 1).daysSince2001 {
      let day = CivilDay(daysSince2001: number)
      #expect(day.exists && day.daysSince2001 == number && isNext(day, after: before), "\(number): \(day)")
      (before, number) = (day, number + 1)
    }
    #expect(before == CivilDay(2399, 12, 31))
  }

  @Test func `days before October 15, 1582, are shown in the Julian calendar`() throws {
    let first = try #require(CivilDay(1, 1, 1).daysSince2001AsShown)
    #expect(Double(first) * 86_400 == Date.distantPast.timeIntervalSinceReferenceDate)
    var (before, number) = (CivilDay(0, 12, 31), first)
    while number < CivilDay(1700, 1, 1).daysSince2001 {
      let day = CivilDay(shownDaysSince2001: number)
      let isChange = before == CivilDay(1582, 10, 4) && day == CivilDay(1582, 10, 15)
      #expect(day.daysSince2001AsShown == number && (isChange || isNext(day, after: before)), "\(number): \(day)")
      (before, number) = (day, number + 1)
    }
    #expect(before == CivilDay(1699, 12, 31))
  }

  @Test(arguments: [
    (1582, 10, 5), (1582, 10, 14), (1582, 9, 31), (1700, 2, 29), (2023, 2, 29), (2024, 2, 30), (2024, 4, 31),
    (2024, 13, 1), (2024, 0, 1), (2024, 1, 0), (2024, 1, 32), (1501, 2, 29),
  ])
  func `days that do not exist are refused`(year: Int, month: Int, day: Int) {
    #expect(CivilDay(year, month, day).daysSince2001AsShown == nil)
  }

  @Test func `a leap day exists where the calendar of its time has it`() {
    #expect(CivilDay(1500, 2, 29).daysSince2001AsShown != nil)
    #expect(!CivilDay(1500, 2, 29).exists)
    #expect(CivilDay(2000, 2, 29).daysSince2001AsShown == CivilDay(2000, 3, 1).daysSince2001 - 1)
  }

  private func isNext(_ day: CivilDay, after before: CivilDay) -> Bool {
    if day == CivilDay(before.year, before.month, before.day + 1) { return true }
    if day == CivilDay(before.year, before.month + 1, 1) { return before.day >= 28 }
    return day == CivilDay(before.year + 1, 1, 1) && before.month == 12 && before.day == 31
  }
}
