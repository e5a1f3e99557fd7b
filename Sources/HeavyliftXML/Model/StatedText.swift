import HeavyliftModel

/// Writes the child elements that have no description of their own: the source text if their contents are unchanged,
/// otherwise the same text with as few changes as possible.
enum StatedText {
  static func userInfo(_ facts: [String: String], written: String?, layout: ModelLayout, line: String) -> String? {
    guard let written, var element = parse(written) else {
      guard !facts.isEmpty else { return nil }
      var element = XMLElement("userInfo")
      addEntries(facts, to: &element, layout: layout, line: line)
      return element.text
    }
    var stated: [String: String] = [:]
    for entry in element.elements(named: "entry") { stated[entry["key"] ?? ""] = entry["value"] ?? "" }
    guard stated != facts else { return written }
    guard !facts.isEmpty else { return nil }
    element.removeElements { $0.name == "entry" && facts[$0["key"] ?? ""] == nil }
    element.changeElements { entry in
      if entry.name == "entry", let value = facts[entry["key"] ?? ""], (entry["value"] ?? "") != value {
        entry["value"] = value
      }
    }
    addEntries(facts.filter { stated[$0.key] == nil }, to: &element, layout: layout, line: line)
    return element.text
  }

  private static func addEntries(
    _ facts: [String: String], to element: inout XMLElement, layout: ModelLayout, line: String
  ) {
    for (key, value) in facts.sorted(by: { $0.key.precedesAsInXcode($1.key) }) {
      let entry = XMLElement(
        "entry", attributes: [XMLAttribute(name: "key", value: key), XMLAttribute(name: "value", value: value)])
      element.add(entry, line: line, layout: layout)
    }
  }

  /// Returns the text of a list of lists of names, such as uniqueness constraints.
  static func list(
    _ name: String, _ itemName: String, _ valueName: String, _ facts: [[String]], written: String?,
    layout: ModelLayout, line: String
  ) -> String? {
    let values: (XMLElement) -> [String] = { $0.elements(named: valueName).map { $0["value"] ?? "" } }
    guard let written, let element = parse(written) else {
      return facts.isEmpty
        ? nil : list(facts, XMLElement(name), itemName, valueName, reusing: [], layout: layout, line: line)
    }
    let items = element.elements(named: itemName)
    guard items.map(values) != facts else { return written }
    guard !facts.isEmpty else { return nil }
    var container = element
    // Unchanged items keep their source text; all items are in the new order.
    container.removeElements { $0.name == itemName }
    return list(facts, container, itemName, valueName, reusing: items, layout: layout, line: line)
  }

  private static func list(
    _ facts: [[String]], _ container: XMLElement, _ itemName: String, _ valueName: String,
    reusing items: [XMLElement], layout: ModelLayout, line: String
  ) -> String {
    var container = container
    var reusable = items
    for fact in facts {
      let same = reusable.firstIndex { item in item.elements(named: valueName).map { $0["value"] ?? "" } == fact }
      if let same {
        container.add(reusable.remove(at: same), line: line, layout: layout)
      } else {
        var item = XMLElement(itemName)
        for value in fact {
          let child = XMLElement(valueName, attributes: [XMLAttribute(name: "value", value: value)])
          item.add(child, line: line.isEmpty ? "" : line + layout.indentation, layout: layout)
        }
        container.add(item, line: line, layout: layout)
      }
    }
    return container.text
  }

  /// Returns the positions at which Xcode draws the entities, with the boxes of renamed entities renamed and those of
  /// removed entities removed.
  static func elements(
    _ written: String, following model: ManagedObjectModel, layout: ModelLayout, line: String
  ) -> String {
    guard var element = parse(written) else { return written }
    var names: [String: String] = [:]
    for entity in model.entities {
      guard let old = entity.rememberedName, names[old] == nil else { continue }
      names[old] = entity.name
    }
    var gone: Set<String> = []
    for case .described("entity", let key) in model.markup.children where names[key] == nil { gone.insert(key) }
    let isUntouched = gone.isEmpty && names.allSatisfy { $0 == $1 }
    guard !isUntouched else { return written }
    element.removeElements { gone.contains($0["name"] ?? "") }
    element.changeElements { box in
      if let name = box["name"], let now = names[name], now != name { box["name"] = now }
    }
    return element.text
  }

  private static func parse(_ text: String) -> XMLElement? { try? XMLDocument(parsing: text).root }
}

extension XMLElement {
  /// Removes child elements, each with the white space before it.
  mutating func removeElements(where isGone: (XMLElement) -> Bool) {
    var kept: [XMLNode] = []
    for node in children {
      if let element = node.element, isGone(element) {
        if kept.last?.isBlank == true { kept.removeLast() }
      } else {
        kept.append(node)
      }
    }
    children = kept.allSatisfy(\.isBlank) ? [] : kept
  }

  /// Changes child elements in place.
  mutating func changeElements(_ change: (inout XMLElement) -> Void) {
    for index in children.indices {
      if var element = children[index].element {
        change(&element)
        children[index] = .element(element)
      }
    }
  }

  /// Adds a child element on a line of its own; `line` is the text before this element.
  mutating func add(_ child: XMLElement, line: String, layout: ModelLayout) {
    guard !line.isEmpty else { return children.append(.element(child)) }
    let space = XMLNode.text(XMLText("", written: line + layout.indentation))
    if children.last?.isBlank == true {
      children.insert(contentsOf: [space, .element(child)], at: children.count - 1)
    } else {
      children += [space, .element(child), .text(XMLText("", written: line))]
    }
  }
}
