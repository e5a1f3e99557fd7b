import Foundation
import HeavyliftModel

/// The names of months, weekdays and halves of the day in a language.
struct DateNames: Sendable {
  let months: [String]
  let shortMonths: [String]
  let standaloneMonths: [String]
  let shortStandaloneMonths: [String]
  let weekdays: [String]
  let shortWeekdays: [String]
  let halves: [String]

  static let standardLocale = "en_US_POSIX"

  init(_ locale: Locale) {
    let formatter = DateFormatter()
    formatter.locale = locale
    formatter.calendar = Calendar(identifier: .gregorian)
    months = formatter.monthSymbols
    shortMonths = formatter.shortMonthSymbols
    standaloneMonths = formatter.standaloneMonthSymbols
    shortStandaloneMonths = formatter.shortStandaloneMonthSymbols
    weekdays = formatter.weekdaySymbols
    shortWeekdays = formatter.shortWeekdaySymbols
    halves = [formatter.amSymbol, formatter.pmSymbol]
  }

  func months(isFull: Bool, isStandalone: Bool) -> [String] {
    if isStandalone { return isFull ? standaloneMonths : shortStandaloneMonths }
    return isFull ? months : shortMonths
  }

  func weekdays(isFull: Bool) -> [String] { isFull ? weekdays : shortWeekdays }

  /// Foundation accepts any identifier, and uses English names for one that it does not know.
  static func locale(named name: String?) throws(EvaluationMistake) -> Locale {
    guard let name, name != standardLocale else { return Locale(identifier: standardLocale) }
    let identifier = name.replacing("-", with: "_")
    guard isKnown(identifier) else { throw .unknownLocale(name, meant: available.nearest(to: identifier)) }
    return Locale(identifier: identifier)
  }

  private static let available = Set(Locale.availableIdentifiers)

  private static func isKnown(_ identifier: String) -> Bool {
    if available.contains(identifier) { return true }
    // 'zh_CN' is not in the list, only 'zh_Hans_CN'.
    let parts = identifier.split(separator: "_", omittingEmptySubsequences: false)
    guard parts.count == 2, let region = parts.last, available.contains(String(parts[0])) else { return false }
    return Locale.Region.isoRegions.contains { $0.identifier == region }
  }
}
