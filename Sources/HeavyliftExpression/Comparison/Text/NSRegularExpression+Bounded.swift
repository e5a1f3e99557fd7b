import Foundation

extension NSRegularExpression {
  /// Whether a text matches; nil if that takes too long to find out.
  ///
  /// ICU tries every way to match. A pattern such as `(a|aa)+$` has more of them for one text than any machine can try.
  package func boundedMatch(in text: String, options: MatchingOptions = []) -> Bool? {
    let length = text.utf16.count
    // ICU reports its progress about every third of a millisecond. What a sound pattern needs grows with the text.
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
