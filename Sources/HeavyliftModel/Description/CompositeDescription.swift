/// A composite type: attributes that several entities can hold as one.
public struct CompositeDescription: Hashable, Sendable {
  public var name: String
  /// The elements in the order of their declaration, which is the order of their columns in a store.
  public var elements: [AttributeDescription]
  public var markup: Markup

  /// Creates a composite type.
  public init(name: String, elements: [AttributeDescription], markup: Markup = Markup()) {
    self.name = name
    self.elements = elements
    self.markup = markup
  }
}
