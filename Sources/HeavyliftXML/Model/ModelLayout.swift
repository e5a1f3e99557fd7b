import HeavyliftModel

/// The layout of a model file, and how to write elements in it.
struct ModelLayout {
  var newline = "\n"
  var indentation = "    "

  /// Creates the layout of the file that the markup came from, or else Xcode's layout.
  init(of markup: Markup) {
    let spaces = markup.children.compactMap { child -> String? in
      if case .verbatim(let text) = child, text.contains(where: \.isNewline) { text } else { nil }
    }
    guard let space = spaces.first else { return }
    if space.contains("\r\n") { newline = "\r\n" }
    guard let last = space.lastIndex(where: \.isNewline) else { return }
    let line = space[space.index(after: last)...].prefix { $0 == " " || $0 == "\t" }
    if !line.isEmpty { indentation = String(line) }
  }

  /// Returns an element with its children; `line` is the line break and indentation before it.
  func element<Description: ModelElement>(
    _ name: String, _ description: Description, line: String, groups: [ModelChildGroup]
  ) -> String {
    let markup = description.markup
    let children = children(of: markup, line: line, groups: groups)
    let tag = XMLElement.tagEnds(
      startTagEnd: markup.form.startTagEnd, endTag: markup.form.endTag, name: name, isEmpty: children.isEmpty)
    return "<\(name)\(attributes(of: description))\(tag.start)\(children)\(tag.end)"
  }

  /// Returns the attributes as text. An attribute whose value is unchanged is written exactly as in the file. A changed
  /// one is rewritten in its old place; a new one is inserted in Xcode's order.
  private func attributes<Description: ModelElement>(of description: Description) -> String {
    let rules = Description.rules
    guard !description.markup.isEmpty else {
      return rules.reduce(into: "") { text, rule in
        if let value = rule.write(description) { text += XMLText.attribute(name: rule.name, value: value) }
      }
    }
    let remembered = Description.remembered(by: description.markup)
    var attributes = description.markup.attributes
    for (index, rule) in rules.enumerated() {
      let value = rule.write(description)
      guard value != rule.write(remembered) else { continue }
      let place = attributes.firstIndex { $0.name == rule.name }
      switch (place, value) {
      case (let place?, let value?):
        let space = attributes[place].written?.prefix(while: \.isWhitespace)
        let written = XMLText.attribute(name: rule.name, value: value)
        attributes[place] = Markup.Attribute(
          name: rule.name, value: value, written: space.map { String($0) + written.dropFirst() })
      case (let place?, nil): attributes.remove(at: place)
      case (nil, let value?):
        let earlier = Set(rules[..<index].map(\.name))
        let place = attributes.lastIndex { earlier.contains($0.name) }.map { $0 + 1 } ?? 0
        attributes.insert(Markup.Attribute(name: rule.name, value: value), at: place)
      case (nil, nil): break
      }
    }
    return attributes.reduce(into: "") { $0 += $1.written ?? XMLText.attribute(name: $1.name, value: $1.value) }
  }
}
