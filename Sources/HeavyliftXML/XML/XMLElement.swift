import HeavyliftModel

/// An element: its name, its attributes and children in file order, and their locations.
public struct XMLElement: Hashable, Sendable {
  /// The name with its prefix, as written.
  public var name: String
  public var attributes: [XMLAttribute]
  public var children: [XMLNode]
  /// The start of the start tag.
  public var location: SourceLocation?
  /// The end of the start tag, if it is not the usual `>` (with children) or `/>` (without).
  public var startTagEnd: String?
  /// The end tag, if it is not the usual one.
  public var endTag: String?

  /// Creates an element.
  public init(
    _ name: String, attributes: [XMLAttribute] = [], children: [XMLNode] = [], location: SourceLocation? = nil,
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
  public func attribute(named name: String) -> XMLAttribute? { attributes.first { $0.name == name } }

  /// The value of the attribute of that name; setting nil removes the attribute.
  public subscript(name: String) -> String? {
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
  public var elements: [XMLElement] { children.compactMap(\.element) }

  /// Returns the child elements of that name.
  public func elements(named name: String) -> [XMLElement] { elements.filter { $0.name == name } }

  /// The text directly inside the element, excluding that of its children.
  public var textContent: String {
    children.reduce(into: "") { if case .text(let text) = $1 { $0 += text.value } }
  }
}
