import Foundation

/// Searches for texts as Foundation does, but never behind the end of a text.
///
/// Foundation finds a U+0000 at the end of the wanted text even one character behind the end of the searched text, and
/// crashes when it makes a range of string indexes of that.
enum TextSearch {
  static func contains(
    _ text: String, _ wanted: String, _ options: String.CompareOptions = [], locale: Locale? = nil
  ) -> Bool {
    guard wanted.utf8.contains(0) else { return text.range(of: wanted, options: options, locale: locale) != nil }
    let text = text as NSString
    return range(of: wanted, in: text, from: 0, options, locale) != nil
  }

  /// Returns the parts between the occurrences of a text.
  static func parts(of text: String, separatedBy separator: String) -> [String] {
    guard separator.utf8.contains(0) else { return text.components(separatedBy: separator) }
    let text = text as NSString
    var (parts, start): ([String], Int) = ([], 0)
    while let found = range(of: separator, in: text, from: start, [], nil) {
      parts.append(text.substring(with: NSRange(location: start, length: found.location - start)))
      start = NSMaxRange(found)
    }
    return parts + [text.substring(from: start)]
  }

  static func replacing(_ wanted: String, in text: String, with other: String) -> String {
    guard wanted.utf8.contains(0) else { return text.replacingOccurrences(of: wanted, with: other) }
    return parts(of: text, separatedBy: wanted).joined(separator: other)
  }

  private static func range(
    of wanted: String, in text: NSString, from start: Int, _ options: String.CompareOptions, _ locale: Locale?
  ) -> NSRange? {
    let rest = NSRange(location: start, length: text.length - start)
    let found = text.range(of: wanted, options: options, range: rest, locale: locale)
    guard found.location != NSNotFound, found.length > 0, NSMaxRange(found) <= text.length else { return nil }
    return found
  }
}
