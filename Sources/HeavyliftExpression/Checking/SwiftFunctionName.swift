/// The name under which Swift imports an Objective-C selector.
///
/// ```swift
/// SwiftFunctionName(selector: "filenameForLibraryWith:")?.description  // filename(forLibraryWith:)
/// ```
///
/// Functions with different names can have the same selector. This is the name that Swift is most likely to choose when
/// it imports the selector. In any case, a function with this name has the given selector.
package struct SwiftFunctionName: Hashable, Sendable, CustomStringConvertible {
  package var baseName: String
  /// One label for each argument; nil for an argument without a label.
  package var labels: [String?]

  /// Creates the name; returns `nil` if the selector is invalid.
  package init?(selector: String) {
    let count = selector.count { $0 == ":" }
    let pieces = selector.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard let first = pieces.first, !first.isEmpty, count == 0 || selector.hasSuffix(":"),
      pieces.allSatisfy({ piece in piece.utf8.allSatisfy { $0 == 0x5F || isLetterOrDigit($0) } })
    else { return nil }
    let words = Self.words(first)
    // The label of the first argument starts at the first preposition.
    guard count > 0, let place = words.indices.dropFirst().first(where: { Self.isPreposition(words[$0]) }) else {
      baseName = first
      labels = count == 0 ? [] : [nil] + Self.labels(pieces)
      return
    }
    baseName = words[..<place].joined()
    let label = words[place...].joined()
    labels = [label.prefix(1).lowercased() + label.dropFirst()] + Self.labels(pieces)
  }

  /// The name as documentation writes it: `filename(forLibraryWith:)`.
  package var description: String { "\(baseName)(\(labels.map { "\($0 ?? "_"):" }.joined()))" }

  private static func labels(_ pieces: [String]) -> [String?] {
    pieces.dropFirst().dropLast().map { $0.isEmpty ? nil : $0 }
  }

  private static let prepositions: Set<String> = [
    "above", "after", "along", "alongside", "as", "at", "before", "below", "by", "following", "for", "from", "given",
    "in", "including", "inside", "into", "matching", "of", "on", "passing", "preceding", "since", "to", "until",
    "using", "via", "when", "with", "within",
  ]

  private static func isPreposition(_ word: String) -> Bool { prepositions.contains(word.lowercased()) }

  /// Splits before every capital letter that follows a lowercase letter or a digit.
  private static func words(_ text: String) -> [String] {
    var words: [String] = []
    var isAfterSmall = false
    for character in text {
      if words.isEmpty || (character.isUppercase && isAfterSmall) { words.append("") }
      words[words.count - 1].append(character)
      isAfterSmall = !character.isUppercase
    }
    return words
  }
}

private func isLetterOrDigit(_ byte: UInt8) -> Bool {
  (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
}
