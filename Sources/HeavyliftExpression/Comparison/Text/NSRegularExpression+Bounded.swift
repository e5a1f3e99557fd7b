import Foundation

extension NSRegularExpression {
  /// Returns true if the string matches; nil if it takes too long to find out.
  ///
  /// ICU tries every possible match. For a pattern such as `(a|aa)+$`, there are too many to try, even in a short
  /// string.
  package func boundedMatch(in text: String, options: MatchingOptions = []) -> Bool? {
    let length = text.utf16.count
    // ICU reports progress about every third of a millisecond. A reasonable pattern takes time proportional to the
    // length of the text.
    let patience = 1_000 + length / 1_000
    var (found, reports) = (false, 0)
    enumerateMatches(
      in: text, options: options.union(.reportProgress), range: NSRange(location: 0, length: length)
    ) { result, _, stop in
      if result != nil { found = true } else { reports += 1 }
      if found || reports > patience { stop.pointee = true }
    }
    return found || reports <= patience ? found : nil
  }
}
