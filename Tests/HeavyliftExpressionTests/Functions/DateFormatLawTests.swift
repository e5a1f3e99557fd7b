import Foundation
import HeavyliftModel
import HeavyliftTestSupport
import Testing

@testable import HeavyliftExpression

/// Formats mean the same as in Foundation's `DateFormatter`, which is the slow and obvious implementation.
struct DateFormatLawTests {
  private static let formats = [
    "yyyy-MM-dd HH:mm:ss", "dd.MM.yyyy", "d.M.yyyy H:m", "yyyyMMddHHmmss", "MMM d, yyyy h:mm:ss a",
    "EEEE, d. MMMM yyyy",
    "yyyy-MM-dd'T'HH:mm:ssZ", "yyyy-MM-dd HH:mm XXX", "EEE dd-MMM-yyyy kk:mm", "LLLL yyyy dd", "K a dd/MM/yyyy",
    "yyyy-MM-dd HH:mm:ss xx", "yyyy-MM-dd HH:mmZZZZZ", "yyyy-MM-dd HH:mm X",
  ]
  /// Not Africa/Casablanca, whose clocks go back for a month in winter: of two equal times, ICU reads the later one there.
  private static let zones = [
    "UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "America/Sao_Paulo", "Pacific/Apia",
    "Australia/Lord_Howe",
    "GMT-0230", "America/St_Johns",
  ]
  private static let locales = ["en_US_POSIX", "de_DE", "fr_FR", "ru_RU", "ja_JP", "en_GB", "es_ES"]

  private static func formatter(_ format: String, _ zone: String, _ locale: String) -> DateFormatter {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: locale)
    formatter.calendar = Calendar(identifier: .gregorian)
    formatter.timeZone = TimeZone(identifier: zone)
    formatter.isLenient = false
    formatter.dateFormat = format
    return formatter
  }

  @Test func `strings and dates are the same as with a date formatter`() throws {
    let seed = UInt64.random(in: 0..<1 << 32)
    print("seed of the date law: \(seed)")
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<Seeds.some(of: 1_000) {
      let format = Self.formats.randomElement(using: &generator) ?? ""
      let zone = Self.zones.randomElement(using: &generator) ?? ""
      let locale = Self.locales.randomElement(using: &generator) ?? ""
      let formatter = Self.formatter(format, zone, locale)
      let own = try DateFormat(format, timeZone: zone, locale: locale, for: .reading)
      for _ in 0..<10 {
        // Mostly this century, sometimes any year, and near the change of calendars and of clocks.
        let seconds: Double =
          switch Int.random(in: 0..<4, using: &generator) {
          case 0: Double(Int.random(in: -63_000_000_000...250_000_000_000, using: &generator))
          case 1: Double(-13_197_600_000 + Int.random(in: -2_000_000...2_000_000, using: &generator))
          default: Double(Int.random(in: -1_000_000_000...1_500_000_000, using: &generator))
          }
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        let text = formatter.string(from: date)
        let context = "seed \(seed): \(format) \(zone) \(locale) \(seconds) '\(text)'"
        #expect(own.string(date) == text, "\(context)")
        // Seconds of local mean time are lost in an offset of minutes.
        if let expected = formatter.date(from: text) {
          // Of two equal local times, the formatter sometimes reads the later one.
          let read = try own.date(text)
          #expect(read == expected || read < expected && formatter.string(from: read) == text, "\(context)")
        } else {
          Issue.record("the date formatter does not read its own text: \(context)")
        }
      }
    }
  }

  @Test func `a string in ISO 8601 format is read back as exactly the same date`() throws {
    let seed = UInt64.random(in: 0..<1 << 32)
    print("seed of the ISO 8601 law: \(seed)")
    var generator = SeededGenerator(seed: seed)
    let formatter = ISO8601DateFormatter()
    for _ in 0..<20_000 {
      let scale = [1.0, 1e3, 1e6, 1e9, 6e10][Int.random(in: 0..<5, using: &generator)]
      let seconds = Double.random(in: -scale...scale, using: &generator)
      guard DecimalSeconds(seconds) != nil else { continue }
      let text = try #require(ISODate.string(Date(timeIntervalSinceReferenceDate: seconds)))
      let found = try ISODate.date(text, in: nil).timeIntervalSinceReferenceDate
      #expect(found.bitPattern == seconds.bitPattern, "seed \(seed): \(text)")
      let whole = Date(timeIntervalSinceReferenceDate: seconds.rounded(.down))
      #expect(ISODate.string(whole) == formatter.string(from: whole), "seed \(seed): \(seconds)")
    }
  }

  @Test func `every string is read without a crash`() throws {
    let seed = UInt64.random(in: 0..<1 << 32)
    print("seed of the mutated dates: \(seed)")
    var generator = SeededGenerator(seed: seed)
    let characters = Array("0123456789-+:.TZ ,'aäPM\u{301}日９")
    let own = try Self.formats.map { try DateFormat($0, for: .reading) }
    for _ in 0..<Seeds.some(of: 20_000) {
      var text = Array("2024-01-31T10:00:00.5+01:00")
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let place = Int.random(in: 0..<text.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0 where text.count > 1: text.remove(at: place)
        case 1: text.insert(characters.randomElement(using: &generator) ?? "0", at: place)
        default: text[place] = characters.randomElement(using: &generator) ?? "0"
        }
      }
      let string = String(text)
      for format in own { _ = try? format.date(string) }
      if let date = try? ISODate.date(string, in: .fixed(0)) {
        let written = try #require(ISODate.string(date), "seed \(seed): \(string)")
        #expect(try ISODate.date(written, in: nil) == date, "seed \(seed): \(string)")
      }
    }
  }
}
