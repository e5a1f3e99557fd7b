/// A child of an element.
package enum XMLNode: Hashable, Sendable {
  case element(XMLElement)
  /// Text, including the text of a CDATA section.
  case text(XMLText)
  case comment(XMLText)
  /// The target, followed by a space and the content.
  case processingInstruction(XMLText)

  /// The element, if it is one.
  package var element: XMLElement? {
    if case .element(let element) = self { element } else { nil }
  }

  /// True for white space between other nodes.
  package var isBlank: Bool {
    if case .text(let text) = self { text.value.isBlank || text.value.allSatisfy(\.isWhitespace) } else { false }
  }
}
