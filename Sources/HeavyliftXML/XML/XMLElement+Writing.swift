extension XMLElement {
  /// The element as text; unchanged parts are written as they were read.
  package var text: String {
    var text = ""
    write(to: &text)
    return text
  }

  func write(to text: inout String) {
    text += "<\(name)"
    for attribute in attributes {
      text += attribute.written ?? XMLText.attribute(name: attribute.name, value: attribute.value)
    }
    let tag = XMLElement.tagEnds(startTagEnd: startTagEnd, endTag: endTag, name: name, isEmpty: children.isEmpty)
    text += tag.start
    for child in children { child.write(to: &text) }
    text += tag.end
  }

  /// Returns the end of the start tag, and the end tag, of an element that may have gained or lost children since it
  /// was read.
  static func tagEnds(
    startTagEnd: String?, endTag: String?, name: String, isEmpty: Bool
  ) -> (start: String, end: String) {
    let start = startTagEnd ?? (isEmpty ? "/>" : ">")
    guard start.hasSuffix("/>") else { return (start, endTag ?? "</\(name)>") }
    return isEmpty ? (start, "") : (start.dropLast(2) + ">", endTag ?? "</\(name)>")
  }
}

extension XMLNode {
  func write(to text: inout String) {
    switch self {
    case .element(let element): element.write(to: &text)
    case .text(let node): text += node.written ?? XMLText.escape(node.value)
    case .comment(let node): text += node.written ?? "<!--\(node.value)-->"
    case .processingInstruction(let node): text += node.written ?? "<?\(node.value)?>"
    }
  }
}
