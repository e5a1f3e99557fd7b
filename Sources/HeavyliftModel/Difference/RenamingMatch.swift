/// Matches the parts of a new version with those of the old one.
///
/// As in Core Data's lightweight migration, a part is identified by its renaming identifier, or else by its name. This
/// identity is the name that all later versions of the part share, so it decides before names do: two parts can exchange
/// their names. An identifier without a match is ignored: identifiers stay in a model long after the version that needed
/// them, and not every version repeats those of the version before.
package struct RenamingMatch: Sendable {
  /// Pairs of indexes into the old and the new list: first all old elements, then the new elements that have no old
  /// counterpart, each group in order.
  package let pairs: [(old: Int?, new: Int?)]
  /// The index of each new element's old counterpart.
  package let olds: [Int?]

  package struct Thing: Equatable, Sendable {
    package var name: String
    package var identifier: String?

    package init(name: String, identifier: String? = nil) {
      self.name = name
      self.identifier = identifier
    }

    /// The name that identifies the part.
    var identity: String { identifier ?? name }
  }

  package init(old: [Thing], new: [Thing]) {
    // Most parts of neighboring versions are the same.
    if old == new {
      self.init(olds: Array(old.indices), oldCount: old.count)
      return
    }
    var olds = [Int?](repeating: nil, count: new.count)
    var isTaken = [Bool](repeating: false, count: old.count)

    /// Assigns an unmatched old part with the same key to each unmatched new part, in order.
    func match(_ oldKey: (Thing) -> String?, _ newKey: (Thing) -> String?) {
      var candidates: [String: [Int]] = [:]
      for place in old.indices.reversed() where !isTaken[place] {
        if let key = oldKey(old[place]) { candidates[key, default: []].append(place) }
      }
      for place in new.indices where olds[place] == nil {
        guard let key = newKey(new[place]), let found = candidates[key]?.popLast() else { continue }
        olds[place] = found
        isTaken[found] = true
      }
    }

    // Parts with the same name and the same identity are not renamed. The separator is a character that no name
    // contains.
    match({ "\($0.name)\u{0}\($0.identity)" }, { "\($0.name)\u{0}\($0.identity)" })
    // If several parts of a version have the same identity, one that still has its first name is the old part, and one
    // with an identifier is the new part.
    match({ $0.identity == $0.name ? $0.name : nil }, \.identifier)
    match(\.identity, \.identifier)
    match(\.identity, \.identity)
    // Identifiers are not always repeated in later versions: without one, the name is all that is left.
    match(\.name) { $0.identifier == nil ? $0.name : nil }
    match(\.name, \.identifier)
    match(\.name, \.name)

    self.init(olds: olds, oldCount: old.count)
  }

  /// Matches properties: first those of the same kind, because an attribute that was renamed may have left its name to a
  /// relationship, and then the others.
  package init(old: [PropertyReference], new: [PropertyReference]) {
    if old.count == new.count, zip(old, new).allSatisfy({ $0.isSamePart(as: $1) }) {
      self.init(olds: Array(old.indices), oldCount: old.count)
      return
    }
    var olds = [Int?](repeating: nil, count: new.count)
    func match(_ isWanted: (PropertyReference) -> Bool) {
      let before = old.indices.filter { isWanted(old[$0]) && !olds.contains($0) }
      let after = new.indices.filter { isWanted(new[$0]) && olds[$0] == nil }
      let match = RenamingMatch(old: before.map { Thing(old[$0]) }, new: after.map { Thing(new[$0]) })
      for case (let before?, let after?) in match.pairs.map({ ($0.old.map { before[$0] }, $0.new.map { after[$0] }) }) {
        olds[after] = before
      }
    }
    match { if case .attribute = $0 { true } else { false } }
    match { if case .relationship = $0 { true } else { false } }
    match { _ in true }
    self.init(olds: olds, oldCount: old.count)
  }

  /// - Parameter olds: The index of each new element's old counterpart.
  init(olds: [Int?], oldCount: Int) {
    self.olds = olds
    var news = [Int?](repeating: nil, count: oldCount)
    for case (let new, let old?) in olds.enumerated() { news[old] = new }
    pairs = news.enumerated().map { ($0, $1) } + olds.indices.filter { olds[$0] == nil }.map { (nil, $0) }
  }
}

extension PropertyReference {
  /// True for a property of the same kind, name and renaming identifier.
  fileprivate func isSamePart(as other: PropertyReference) -> Bool {
    switch (self, other) {
    case (.attribute(let one), .attribute(let other)):
      one.name == other.name && one.renamingIdentifier == other.renamingIdentifier
    case (.relationship(let one), .relationship(let other)):
      one.name == other.name && one.renamingIdentifier == other.renamingIdentifier
    case (.fetched(let one), .fetched(let other)):
      one.name == other.name && one.renamingIdentifier == other.renamingIdentifier
    default: false
    }
  }
}

extension RenamingMatch.Thing {
  fileprivate init(_ property: PropertyReference) {
    self.init(name: property.name, identifier: property.renamingIdentifier)
  }
}
