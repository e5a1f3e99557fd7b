import Foundation
import HeavyliftModel

/// The time zone of a date format.
enum DateZone: Sendable {
  /// Seconds ahead of universal time.
  case fixed(Int)
  case regional(TimeZone)

  /// Abbreviations such as `CST` are refused: several zones share one, and `EST` is without daylight saving time as the
  /// name of a zone.
  init(named name: String) throws(EvaluationMistake) {
    if name == DateFormat.universalTime || name == "GMT" {
      self = .fixed(0)
      return
    }
    if let meant = TimeZone.abbreviationDictionary[name] { throw .unknownTimeZone(name, meant: meant) }
    guard let zone = TimeZone(identifier: name) else { throw .unknownTimeZone(name, meant: Self.meant(by: name)) }
    self = name.hasPrefix("GMT") || name.hasPrefix("UTC") ? .fixed(zone.secondsFromGMT()) : .regional(zone)
  }

  private static func meant(by name: String) -> String? {
    if name == "Z" { return DateFormat.universalTime }
    if TimeZone(identifier: "GMT" + name) != nil { return "GMT" + name }
    let known = TimeZone.knownTimeZoneIdentifiers
    // A city without its continent is far from any name.
    let city = known.first { $0.lowercased().hasSuffix("/" + name.lowercased().replacing(" ", with: "_")) }
    return city ?? known.nearest(to: name)
  }

  /// Returns the seconds that clocks are ahead of universal time at a moment, given in seconds since 2001.
  func offset(at moment: Int) -> Int {
    switch self {
    case .fixed(let offset): offset
    case .regional(let zone):
      zone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: TimeInterval(moment)))
    }
  }

  /// Returns the moment at which clocks show a time: the earlier one if they show it twice, and `nil` if they skip it.
  ///
  /// - Parameters:
  ///   - local: The time, in seconds since 2001 on these clocks.
  ///   - isWholeDay: True for the start of a day, which is later than midnight if clocks skip midnight.
  func moment(ofLocal local: Int, isWholeDay: Bool) -> Int? {
    guard case .regional = self else { return local - offset(at: local) }
    // No zone is a day ahead or behind, and none changes its clocks twice within two days.
    let (before, after) = (offset(at: local - 86_400), offset(at: local + 86_400))
    // The larger offset gives the earlier moment.
    for offset in [max(before, after), min(before, after)] where self.offset(at: local - offset) == offset {
      return local - offset
    }
    guard isWholeDay, before < after else { return nil }
    // The first moment after the change: from there on, clocks show times with the later offset.
    var (low, high) = (local - after, local - before)
    while low < high {
      let middle = low + (high - low) / 2
      if offset(at: middle) == after { high = middle } else { low = middle + 1 }
    }
    // Clocks in Samoa skipped a whole day.
    return low + after < local + 86_400 ? low : nil
  }
}
