extension Collection<String> {
  /// Returns the name that was probably meant by `name`, or `nil` if none is similar enough.
  ///
  /// A third of the letters may differ: beyond that, a suggestion misleads more often than it helps.
  package func nearest(to name: String) -> String? {
    let wanted = Array(name.lowercased())
    let ranked = map { (name: $0, distance: editDistance(wanted, Array($0.lowercased()))) }
    guard let best = ranked.min(by: { ($0.distance, $0.name) < ($1.distance, $1.name) }) else { return nil }
    let length = Swift.max(wanted.count, best.name.count)
    // A name of one letter is similar only to itself.
    return best.distance < length && best.distance <= Swift.max(1, length / 3) ? best.name : nil
  }

  /// "did you mean 'x'?" if there is a similar name, otherwise all available names.
  package func suggestion(for name: String, kind: String) -> String {
    suggestion(nearest(to: name), kind: kind)
  }

  /// Returns the most similar name of a model version that has the same digits: 'Music 4' is not a misspelled 'Music 3'.
  package func nearestVersion(to name: String) -> String? {
    filter { $0.digits == name.digits }.nearest(to: name)
  }

  /// Returns a remedy for the unknown name of a model version.
  package func suggestion(forVersion name: String) -> String { suggestion(nearestVersion(to: name), kind: "version") }

  private func suggestion(_ near: String?, kind: String) -> String {
    if let near { return "did you mean '\(near)'?" }
    if isEmpty { return "no \(kind) is available" }
    let shown = sorted().prefix(12).map { "'\($0)'" }.joined(separator: ", ")
    return count > 12 ? "available: \(shown) and \(count - 12) more" : "available: \(shown)"
  }
}

extension String {
  /// The digits of a version's name, which tell versions apart.
  package var digits: String { filter(\.isNumber) }
}

/// Returns the number of insertions, deletions, replacements and swaps of neighbors that turn one text into the
/// other.
private func editDistance(_ left: [Character], _ right: [Character]) -> Int {
  var beforeLast: [Int] = []
  var last = Array(0...right.count)
  for row in left.indices {
    var current = [row + 1]
    for column in right.indices {
      let replaced = last[column] + (left[row] == right[column] ? 0 : 1)
      var cost = Swift.min(replaced, last[column + 1] + 1, current[column] + 1)
      if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
        cost = Swift.min(cost, beforeLast[column - 1] + 1)
      }
      current.append(cost)
    }
    (beforeLast, last) = (last, current)
  }
  return last[right.count]
}
