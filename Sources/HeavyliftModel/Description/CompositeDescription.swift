/// A composite type: a group of attributes that several entities can use as one attribute.
public struct CompositeDescription: Hashable, Sendable {
  /// The name that attributes refer to.
  public var name: String
  /// The elements in order of declaration, which is the order of their columns in a store.
  public var elements: [AttributeDescription]
  /// The spelling in the file. Not compared by `==`.
  public var markup: Markup

  /// Creates a composite type.
  public init(name: String, elements: [AttributeDescription], markup: Markup = Markup()) {
    self.name = name
    self.elements = elements
    self.markup = markup
  }
}
