import Foundation

extension String {
  /// True if the string precedes another one in Finder's order: `Model 2` before `Model 10`.
  package func precedesAsCounted(_ other: String) -> Bool {
    let order = compare(other, options: [.numeric, .caseInsensitive])
    return order == .orderedSame ? self < other : order == .orderedAscending
  }
}
