/// A composite type: attributes that several entities can hold as one.
public struct CompositeDescription: Hashable, Sendable {
  public var name: String
  public var elements: [AttributeDescription] {
    didSet { elements.sortByName(\.name) }
  }
  public var markup: Markup

  /// Creates a composite type.
  public init(name: String, elements: [AttributeDescription], markup: Markup = Markup()) {
    self.name = name
    self.elements = elements
    self.markup = markup
    self.elements.sortByName(\.name)
  }
}
