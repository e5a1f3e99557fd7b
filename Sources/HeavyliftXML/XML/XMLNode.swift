/// A child of an element.
public enum XMLNode: Hashable, Sendable {
  case element(XMLElement)
  /// Text, and the text of a CDATA section.
  case text(XMLText)
  case comment(XMLText)
  /// The target, and after a space what follows it.
  case processingInstruction(XMLText)

  /// The element, if it is one.
  public var element: XMLElement? {
    if case .element(let element) = self { element } else { nil }
  }

  /// Whether this is text that only separates other nodes.
  public var isBlank: Bool {
    if case .text(let text) = self { text.value.allSatisfy(\.isWhitespace) } else { false }
  }
}
