import Foundation
import HeavyliftModel

extension DateFormat {
  /// Returns the moment as a string in this format; `nil` if its year does not have up to four digits.
  ///
  /// A fraction of a second is rounded to the digits of the format, and is discarded if the format has none.
  func string(_ date: Date) -> String? {
    let seconds = date.timeIntervalSinceReferenceDate
    guard seconds.magnitude < 1e12 else { return nil }
    let digits = fields.lazy.compactMap { if case .fraction(let digits) = $0 { digits } else { nil } }.first
    let moment =
      digits.map { DecimalSeconds(seconds, roundedTo: $0) } ?? DecimalSeconds(whole: Int(seconds.rounded(.down)))
    guard var parts = DateParts(moment.whole, in: zone) else { return nil }
    parts.fraction = moment.fraction
    var text = ""
    for field in fields { write(field, parts, to: &text) }
    return text
  }

  private func write(_ field: Field, _ parts: DateParts, to text: inout String) {
    func number(_ number: Int, _ digits: Int) { text += DecimalSeconds.padded(number, to: digits) }
    let hour = parts.hour ?? 0
    switch field {
    case .literal(let literal): text += literal
    case .year(let digits): number(parts.day.year, digits)
    case .twoDigitYear: number(parts.day.year % 100, 2)
    case .month(let digits): number(parts.day.month, digits)
    case .monthName(let isFull, let isStandalone):
      text += names?.months(isFull: isFull, isStandalone: isStandalone)[parts.day.month - 1] ?? ""
    case .day(let digits): number(parts.day.day, digits)
    case .weekday(let isFull): text += names?.weekdays(isFull: isFull)[parts.weekday ?? 0] ?? ""
    case .hour(let first, let count, let digits):
      let shown = hour % count
      number(shown < first ? shown + count : shown, digits)
    case .halfDay: text += names?.halves[hour / 12] ?? ""
    case .minute(let digits): number(parts.minute, digits)
    case .second(let digits): number(parts.second, digits)
    case .fraction(let digits): number(parts.fraction, digits)
    case .offset(let style): text += style.text(parts.offset ?? 0)
    }
  }
}

extension DateFormat.OffsetStyle {
  func text(_ offset: Int) -> String {
    let (minutes, seconds) = (offset.magnitude / 60, offset.magnitude % 60)
    func two(_ number: UInt) -> String { DecimalSeconds.padded(Int(number), to: 2) }
    if case .withZ(let style) = self { return offset == 0 ? "Z" : style.text(offset) }
    if case .withSeconds(let style) = self {
      return style.text(offset) + (seconds == 0 ? "" : (style == .extended ? ":" : "") + two(seconds))
    }
    let hours = (offset < 0 ? "-" : "+") + two(minutes / 60)
    return switch self {
    case .extended: "\(hours):\(two(minutes % 60))"
    case .short where minutes % 60 == 0: hours
    default: hours + two(minutes % 60)
    }
  }
}
