import HeavyliftModel

/// An element: its name, its attributes and children in the order of the file, and where they stand.
public struct XMLElement: Hashable, Sendable {
  /// The name with its prefix, as written.
  public var name: String
  public var attributes: [XMLAttribute]
  public var children: [XMLNode]
  /// Where the start tag begins.
  public var location: SourceLocation?
  /// What ends the start tag, where it is not the usual `>` before children and `/>` without.
  public var startTagEnd: String?
  /// The end tag, where it is not the usual one.
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

  /// The attribute of that name.
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

  /// The children that are elements of that name.
  public func elements(named name: String) -> [XMLElement] { elements.filter { $0.name == name } }

  /// The text directly inside the element, without that of its children.
  public var textContent: String {
    children.reduce(into: "") { if case .text(let text) = $1 { $0 += text.value } }
  }
}
