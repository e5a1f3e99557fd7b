import Foundation

/// Takes out of texts what options overlook, so that what is left can be compared as it is.
struct Folding: Sendable {
  private let options: String.CompareOptions

  /// Neither case nor diacritics are left.
  static let canonical = Folding([.caseInsensitive, .diacriticInsensitive])

  init(_ options: ComparisonOptions) {
    var folded: String.CompareOptions = []
    if options.contains(.caseInsensitive) { folded.insert(.caseInsensitive) }
    if options.contains(.diacriticInsensitive) { folded.insert(.diacriticInsensitive) }
    self.options = folded
  }

  var isIdentity: Bool { options.isEmpty }

  func fold(_ text: String) -> String {
    if isIdentity { return text }
    // Diacritics are no ASCII, and the small ASCII letters are the folded ones.
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return options.contains(.caseInsensitive) ? text.lowercased() : text }
    return text.folding(options: options, locale: nil)
  }
}
