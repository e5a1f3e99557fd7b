import HeavyliftModel

/// Guesses the intended names behind wrong ones, so that consequences of a misspelling are not reported.
///
/// Comparing every wrong name with every known one takes minutes in a mapping that is wrong throughout. Beyond a limit,
/// nothing is guessed, and consequences are reported, too.
struct PresumedNames {
  private static let longestName = 80
  private var comparisonsLeft = 5_000

  mutating func name(for name: String, among known: [String]) -> String? {
    guard known.count <= comparisonsLeft, name.utf8.count <= Self.longestName else { return nil }
    comparisonsLeft -= known.count
    return known.nearest(to: name)
  }

  mutating func entity(for name: String, in model: ModelIndex) -> Int? {
    model.entity(named: self.name(for: name, among: model.entityNames))
  }
}
