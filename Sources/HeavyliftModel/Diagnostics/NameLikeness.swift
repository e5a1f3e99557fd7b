/// A property name, split into its words for comparison with the names that it may have had before.
///
/// Names are alike if they differ only in case and separators, if one starts or ends with the other, if few letters
/// differ, or if they share half of the words that say what they are about: `issued` and `issuedAt`, `weightText` and `weight`, `birthDate` and
/// `dateOfBirth`.
package struct NameLikeness {
  private static let fewestLetters = 3
  /// Words that many unrelated names share: `startDate` and `endDate`, `productID` and `userID`.
  private static let commonWords: Set<String> = [
    "a", "an", "and", "at", "by", "can", "did", "for", "from", "has", "in", "is", "of", "on", "or", "should", "the",
    "to", "was", "with", "count", "data", "date", "id", "identifier", "key", "name", "number", "string", "text", "type",
    "uri", "url", "uuid", "value",
  ]

  private let words: [String]
  private let letters: String
  /// The words that say what the property is about, without plural endings.
  private let topics: Set<String>

  package init(_ name: String) {
    words = name.words
    letters = words.joined()
    let telling = words.filter { !Self.commonWords.contains($0) }
    topics = Set(telling.map { $0.count > Self.fewestLetters && $0.hasSuffix("s") ? String($0.dropLast()) : $0 })
  }

  /// Returns true if the two may be names of the same thing.
  package func resembles(_ other: NameLikeness) -> Bool {
    letters == other.letters || extends(other) || other.extends(self) || sharesHalfOfWords(with: other)
      || (min(letters.count, other.letters.count) > Self.fewestLetters && [other.letters].nearest(to: letters) != nil)
  }

  /// Returns true if the name starts or ends with the other one.
  private func extends(_ other: NameLikeness) -> Bool {
    guard !other.words.isEmpty else { return false }
    if words.starts(with: other.words) || words.reversed().starts(with: other.words.reversed()) { return true }
    return other.letters.count >= Self.fewestLetters
      && (letters.hasPrefix(other.letters) || letters.hasSuffix(other.letters))
  }

  private func sharesHalfOfWords(with other: NameLikeness) -> Bool {
    let shared = topics.intersection(other.topics).count
    return shared > 0 && 2 * shared >= max(topics.count, other.topics.count)
  }
}

extension String {
  /// The words of a camel-case or snake-case name, in lower case: `imageURL_2` gives `image`, `url` and `2`.
  fileprivate var words: [String] {
    var words: [String] = []
    var word = ""
    let letters = Array(self)
    func startsWord(_ place: Int) -> Bool {
      guard place > 0 else { return true }
      let (before, here) = (letters[place - 1], letters[place])
      if before.isNumber != here.isNumber { return true }
      guard here.isUppercase else { return false }
      // The last capital of several starts the next word: "URLString".
      return !before.isUppercase || (place + 1 < letters.count && letters[place + 1].isLowercase)
    }
    for (place, letter) in letters.enumerated() {
      let isSeparator = !letter.isLetter && !letter.isNumber
      if !word.isEmpty, isSeparator || startsWord(place) {
        words.append(word.lowercased())
        word = ""
      }
      if !isSeparator { word.append(letter) }
    }
    if !word.isEmpty { words.append(word.lowercased()) }
    return words
  }
}
