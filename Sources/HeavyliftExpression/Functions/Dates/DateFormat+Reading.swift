import Foundation

extension DateFormat {
  /// Returns the moment that a string is in this format.
  ///
  /// - Throws: `DateFlaw` unless the whole string is a date that exists.
  func date(_ text: String) throws(DateFlaw) -> Date {
    var scanner = try DateScanner(text)
    var parts = DateParts()
    for field in fields { try read(field, &scanner, &parts) }
    try scanner.expectEnd()
    return try parts.date(in: zone)
  }

  private func read(_ field: Field, _ scanner: inout DateScanner, _ parts: inout DateParts) throws(DateFlaw) {
    let part = field.part ?? ""
    switch field {
    case .literal(let text): try scanner.literal(text)
    // A year with fewer digits is the year of another century, or the wrong format.
    case .year: parts.day.year = try scanner.number(4...4, part)
    case .twoDigitYear:
      let (year, start) = (try scanner.number(2...2, part), twoDigitStartYear ?? 0)
      parts.day.year = start + (year - start % 100 + 100) % 100
    case .month(let digits): parts.day.month = try scanner.number(digits, part, in: 1...12)
    case .monthName(let isFull, let isStandalone):
      // Languages differ in which of the two forms people write in a date.
      let months = [isStandalone, !isStandalone].flatMap { names?.months(isFull: isFull, isStandalone: $0) ?? [] }
      parts.day.month = try scanner.name(months, part) + 1
    case .day(let digits): parts.day.day = try scanner.number(digits, part, in: 1...31)
    case .weekday(let isFull): parts.weekday = try scanner.name(names?.weekdays(isFull: isFull) ?? [], part)
    case .hour(let first, let count, let digits):
      parts.hour = try scanner.number(digits, part, in: first...first + count - 1) % count
    case .halfDay: parts.half = try scanner.name(names?.halves ?? [], part)
    case .minute(let digits): parts.minute = try scanner.number(digits, part, in: 0...59)
    case .second(let digits): parts.second = try scanner.number(digits, part, in: 0...59)
    case .fraction(let digits):
      (parts.fraction, parts.fractionDigits) = (try scanner.number(digits...digits, part), digits)
    case .offset: parts.offset = try scanner.offset()
    }
  }
}
