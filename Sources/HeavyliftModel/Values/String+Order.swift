import Foundation

extension String {
  /// True if the string precedes another one in Finder's order: `Model 2` before `Model 10`.
  package func precedesAsCounted(_ other: String) -> Bool {
    let order = compare(other, options: [.numeric, .caseInsensitive])
    return order == .orderedSame ? self < other : order == .orderedAscending
  }

  /// The name without a version number at its end: `Store` for `Store v2.7`.
  package var versionStem: String { replacing(/[ _.-]*(version|v)?[ _.-]*[0-9][0-9._-]*$/.ignoresCase(), with: "") }
}

extension [String] {
  /// Names of versions, oldest first, as far as they show it: in Finder's order. A name that would follow the current
  /// version's, and does not begin like it, comes first: `Beta` of `Beta` and `Music 2` is the newest if it is the current one.
  package func orderedAsVersions(current: String?) -> [String] {
    let names = sorted { $0.precedesAsCounted($1) }
    guard let current, let place = names.firstIndex(of: current) else { return names }
    let stem = current.versionStem.lowercased()
    let older = names[place...].filter { !$0.lowercased().hasPrefix(stem) }
    return older + names.filter { !older.contains($0) }
  }
}
