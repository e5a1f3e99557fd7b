import HeavyliftModel

/// An element: its name, its attributes and children in file order, and their locations.
package struct XMLElement: Hashable, Sendable {
  /// The name with its prefix, as written.
  package var name: String
  package var attributes: [XMLAttribute]
  package var children: [XMLNode]
  /// The start of the start tag.
  package var location: DiagnosticLocation?
  /// The end of the start tag, if it is not the usual `>` (with children) or `/>` (without).
  package var startTagEnd: String?
  /// The end tag, if it is not the usual one.
  package var endTag: String?

  /// Creates an element.
  package init(
    _ name: String, attributes: [XMLAttribute] = [], children: [XMLNode] = [], location: DiagnosticLocation? = nil,
    startTagEnd: String? = nil, endTag: String? = nil
  ) {
    self.name = name
    self.attributes = attributes
    self.children = children
    self.location = location
    self.startTagEnd = startTagEnd
    self.endTag = endTag
  }

  /// Returns the attribute of that name.
  package func attribute(named name: String) -> XMLAttribute? { attributes.first { $0.name == name } }

  /// The value of the attribute of that name; setting nil removes the attribute.
  package subscript(name: String) -> String? {
    get { attribute(named: name)?.value }
    set {
      let index = attributes.firstIndex { $0.name == name }
      switch (index, newValue) {
      case (let index?, let value?) where attributes[index].value != value:
        attributes[index] = XMLAttribute(name: name, value: value)
      case (let index?, nil): attributes.remove(at: index)
      case (nil, let value?): attributes.append(XMLAttribute(name: name, value: value))
      default: break
      }
    }
  }

  /// The children that are elements.
  package var elements: [XMLElement] { children.compactMap(\.element) }

  /// Returns the child elements of that name.
  package func elements(named name: String) -> [XMLElement] { elements.filter { $0.name == name } }

  /// The text directly inside the element, excluding that of its children.
  package var textContent: String {
    children.reduce(into: "") { if case .text(let text) = $1 { $0 += text.value } }
  }
}
