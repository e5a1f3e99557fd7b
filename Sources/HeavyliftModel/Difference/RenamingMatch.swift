/// Finds for what a new version has what it was in the old one.
///
/// As in Core Data's lightweight migration a thing is what its renaming identifier says, or else what it is called. An
/// identifier that leads to nothing is passed over: it stays in a model long after the version that needed it.
package struct RenamingMatch {
  /// Places in the old list and in the new one; old ones first, then new ones without an old one, each in order.
  package let pairs: [(old: Int?, new: Int?)]

  package struct Thing {
    package var name: String
    package var identifier: String?

    package init(name: String, identifier: String? = nil) {
      self.name = name
      self.identifier = identifier
    }

    /// What the thing is known by.
    var identity: String { identifier ?? name }
  }

  package init(old: [Thing], new: [Thing]) {
    var olds = [Int?](repeating: nil, count: new.count)
    var isTaken = [Bool](repeating: false, count: old.count)

    /// Gives every new thing that has none yet an old one under the same key, in order.
    func match(_ oldKey: (Thing) -> String, _ newKey: (Thing) -> String?) {
      var candidates: [String: [Int]] = [:]
      for place in old.indices.reversed() where !isTaken[place] {
        candidates[oldKey(old[place]), default: []].append(place)
      }
      for place in new.indices where olds[place] == nil {
        guard let key = newKey(new[place]), let found = candidates[key]?.popLast() else { continue }
        olds[place] = found
        isTaken[found] = true
      }
    }

    // The same name and the same identity: nothing was renamed. Names are joined by a character that none contains.
    match({ "\($0.name)\u{0}\($0.identity)" }, { "\($0.name)\u{0}\($0.identity)" })
    // A name that is still there keeps what it had, whatever else claims it.
    match(\.name) { $0.identifier == nil ? $0.name : nil }
    match(\.name, \.identifier)
    match(\.identity, \.identity)
    match(\.name, \.name)

    let found = Dictionary(
      olds.enumerated().compactMap { new, old in old.map { ($0, new) } }, uniquingKeysWith: { first, _ in first })
    pairs =
      old.indices.map { ($0, found[$0]) }
      + new.indices.filter { olds[$0] == nil }.map { (nil, $0) }
  }
}
