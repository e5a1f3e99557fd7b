import HeavyliftModel

extension ModelLayout {
  /// A piece of the text between two tags.
  private struct Piece {
    enum Kind: Equatable {
      /// White space, which belongs to the next piece.
      case space
      /// Text that is kept unchanged.
      case other
      case item(group: Int, name: String)
    }

    var kind: Kind
    var text: String
  }

  /// Returns the text between an element's tags: existing children stay in place, removed ones are dropped with their
  /// lines, and each new one gets a line of its own where Xcode would put it.
  func children(of markup: Markup, line: String, groups: [ModelChildGroup]) -> String {
    let childLine = childLine(of: markup, line: line)
    var pending = groups.map(\.items)
    var pieces: [Piece] = []
    var hasLost = false
    for child in markup.children {
      switch child {
      case .verbatim(let text):
        pieces.append(Piece(kind: text.allSatisfy(\.isWhitespace) ? .space : .other, text: text))
      case .described(let element, let key), .stated(let element, let key, _):
        var written: String?
        if case .stated(_, _, let text) = child { written = text }
        if let piece = take(element, key, written: written, line: childLine, from: &pending, of: groups) {
          pieces.append(piece)
        } else {
          hasLost = true
          if pieces.last?.kind == .space { pieces.removeLast() }
        }
      }
    }
    let isFresh = pieces.isEmpty && !hasLost
    for (group, items) in pending.enumerated() {
      for item in items {
        guard let text = item.text(childLine, nil) else { continue }
        let piece = Piece(kind: .item(group: group, name: item.name), text: text)
        insert(piece, of: groups[group], line: childLine, into: &pieces)
      }
    }
    if hasLost, pieces.allSatisfy({ $0.kind == .space }) { return "" }
    if (isFresh || hasLost), let last = pieces.last, last.kind != .space, !childLine.isEmpty {
      pieces.append(Piece(kind: .space, text: line))
    }
    return pieces.reduce(into: "") { $0 += $1.text }
  }

  /// Removes the pending item of a remembered child (in an ordered group, the next item) and returns its text.
  private func take(
    _ element: String, _ key: String, written: String?, line: String,
    from pending: inout [[ModelChildGroup.Item]], of groups: [ModelChildGroup]
  ) -> Piece? {
    guard let group = groups.firstIndex(where: { $0.element == element }) else { return nil }
    let isTaken: (ModelChildGroup.Item) -> Bool = { groups[group].isOrdered || $0.key == key }
    guard let index = pending[group].firstIndex(where: isTaken) else { return nil }
    let item = pending[group].remove(at: index)
    guard let text = item.text(line, written) else { return nil }
    return Piece(kind: .item(group: group, name: item.name), text: text)
  }

  private func insert(
    _ piece: Piece, of group: ModelChildGroup, line: String, into pieces: inout [Piece]
  ) {
    guard case .item(let index, let name) = piece.kind else { return }
    let place = place(of: name, inGroup: index, isOrdered: group.isOrdered, among: pieces)
    pieces.insert(contentsOf: line.isEmpty ? [piece] : [Piece(kind: .space, text: line), piece], at: place)
  }

  /// Returns the place for a new child: after the others of its kind, or among them if they are sorted as in Xcode. The
  /// first child of a kind goes after the groups that Xcode writes earlier.
  private func place(of name: String, inGroup group: Int, isOrdered: Bool, among pieces: [Piece]) -> Int {
    var like: [(index: Int, name: String)] = []
    var lastEarlier: Int?
    var firstLater: Int?
    for (index, piece) in pieces.enumerated() {
      guard case .item(let other, let otherName) = piece.kind else { continue }
      if other == group { like.append((index, otherName)) }
      if other < group { lastEarlier = index }
      if other > group, firstLater == nil { firstLater = index }
    }
    let isSorted = !isOrdered && zip(like, like.dropFirst()).allSatisfy { !$1.name.precedesAsInXcode($0.name) }
    if isSorted, let next = like.first(where: { name.precedesAsInXcode($0.name) }) {
      return startOfLine(next.index, in: pieces)
    }
    if let last = like.last?.index ?? lastEarlier { return last + 1 }
    if let firstLater { return startOfLine(firstLater, in: pieces) }
    return pieces.last?.kind == .space ? pieces.count - 1 : pieces.count
  }

  private func startOfLine(_ index: Int, in pieces: [Piece]) -> Int {
    index > 0 && pieces[index - 1].kind == .space ? index - 1 : index
  }

  /// Returns the line break and indentation before a child, as in the file; empty for a file without line breaks.
  private func childLine(of markup: Markup, line: String) -> String {
    guard !line.isEmpty else { return "" }
    var space: String?
    for child in markup.children {
      switch child {
      case .verbatim(let text): space = text.allSatisfy(\.isWhitespace) ? text : nil
      case .described, .stated:
        guard let space, let last = space.lastIndex(where: \.isNewline) else { return "" }
        return String(space[last...])
      }
    }
    return line + indentation
  }
}

extension String {
  /// Returns true if this name precedes the other in Xcode's order.
  func precedesAsInXcode(_ other: String) -> Bool {
    let (left, right) = (lowercased(), other.lowercased())
    return left == right ? self < other : left < right
  }
}
