import Foundation

/// Removes the differences that comparison options ignore, so that strings can be compared literally.
struct Folding: Sendable {
  private let options: String.CompareOptions

  /// Ignores case and diacritics.
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
    // ASCII has no diacritics, and folding changes its letters to lowercase.
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return options.contains(.caseInsensitive) ? text.lowercased() : text }
    return text.folding(options: options, locale: nil)
  }
}
