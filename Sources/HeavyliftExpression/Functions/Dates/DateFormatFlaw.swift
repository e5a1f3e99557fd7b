/// The mistake in a format for dates.
package enum DateFormatFlaw: Hashable, Sendable {
  case letter(Character)
  /// A letter that is repeated too often or not often enough.
  case length(String)
  case openQuote
  case repeated(String, hasMinute: Bool)
  case missingYear
  case without(String, has: String)
  case minuteForMonth
  case missingHalfDay
  case uselessHalfDay
  case twoDigitYear
  case unseparated(String)
}

extension DateFormatFlaw {
  /// The mistake, after "date format '…'".
  var problem: String {
    switch self {
    case .letter(let letter): "has the letter '\(letter)', which is not supported"
    case .length(let letters): "has '\(letters)', which is not supported"
    case .openQuote: "has a quote that is not closed"
    case .repeated(let part, _): "has the \(part) twice"
    case .missingYear: "has no year"
    case .without(let part, let other): "has the \(other) but not the \(part)"
    case .minuteForMonth: "has the minute ('m') but not the month ('M')"
    case .missingHalfDay: "counts hours up to 12, but does not say in which half of the day"
    case .uselessHalfDay: "has the half of the day ('a'), but no hours up to 12 ('h')"
    case .twoDigitYear: "has a year of two digits, which can be in any century"
    case .unseparated(let part): "does not separate the \(part) from the number after it"
    }
  }

  func remedy(for format: String) -> String {
    switch self {
    case .letter(let letter): Self.remedy(for: letter)
    case .length(let letters): Self.lengths[letters.first ?? "y"] ?? Self.letters
    case .openQuote: "close it; two quotes are a quote in the text"
    case .repeated("month", false): "did you mean 'mm' for the minute?"
    case .repeated("minute", _): "did you mean 'MM' for the month?"
    case .repeated: "remove one of them"
    case .missingYear: "write the format of the strings, such as 'yyyy-MM-dd'"
    case .without(let part, _): "add the \(part)"
    case .minuteForMonth: "did you mean 'MM'?"
    case .missingHalfDay: "did you mean 'HH'? Otherwise, add 'a'"
    case .uselessHalfDay: "did you mean 'hh'?"
    case .twoDigitYear:
      "write the first of its hundred years: 'FUNCTION(…, \"dateWithFormat:twoDigitStartYear:\", \"\(format)\", 1950)'"
    case .unseparated("time zone"): "write a space between them"
    case .unseparated: "write the letter twice for a number of two digits"
    }
  }

  private static let letters = "text is in quotes, and a date consists of the letters y M L d E H h K k a m s S Z X x"

  private static let lengths: [Character: String] = [
    "y": "write 'yyyy'", "M": "write 'MM' for a number, and 'MMM' or 'MMMM' for a name",
    "L": "write 'MM' for a number, and 'LLL' or 'LLLL' for a name", "d": "write 'dd'",
    "E": "write 'EEE' or 'EEEE'", "H": "write 'HH'", "h": "write 'hh'", "K": "write 'KK'", "k": "write 'kk'",
    "a": "write 'a'", "m": "write 'mm'", "s": "write 'ss'", "S": "write 'SSS' for milliseconds",
    "Z": "write 'Z' for +0100, or 'ZZZZZ' for +01:00", "X": "write 'XXX' for +01:00 or Z",
    "x": "write 'xxx' for +01:00",
  ]

  private static func remedy(for letter: Character) -> String {
    switch letter {
    case "Y": "did you mean 'y'? 'Y' is the year that a week belongs to"
    case "D": "did you mean 'd'? 'D' is the day of the year"
    case "u": "did you mean 'y'?"
    case "A", "b", "B": "did you mean 'a'?"
    case "c", "e": "did you mean 'E'?"
    case "z", "v", "V", "O": "write 'Z' for an offset such as +0100: names of time zones are ambiguous"
    case "T": "text is in quotes: write ''T''"
    default: letters
    }
  }
}
