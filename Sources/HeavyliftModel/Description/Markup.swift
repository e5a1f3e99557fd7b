/// How a description stood written in a file: its attributes and the order of its children, word for word.
///
/// A description holds facts; its markup holds the way they were written, so that writing a model back changes only what
/// was changed. Two markups are always equal: how a fact is written is no part of the fact, and a model from a compiled
/// file must equal the same model from XML.
public struct Markup: Hashable, Sendable {
  /// One attribute of an element, as written.
  public struct Attribute: Hashable, Sendable {
    public var name: String
    /// After entities were replaced, before anything was interpreted.
    public var value: String
    public var location: SourceLocation?

    /// Creates an attribute.
    public init(name: String, value: String, location: SourceLocation? = nil) {
      self.name = name
      self.value = value
      self.location = location
    }
  }

  /// One child of an element: something that the model knows, or text that is kept as it is.
  public enum Child: Hashable, Sendable {
    /// A child that became a description: its element's name, and its own name where it has one.
    case described(element: String, key: String)
    /// Markup that means nothing to the model; written back word for word.
    case verbatim(String)
  }

  public var attributes: [Attribute]
  public var children: [Child]
  /// Where the element starts.
  public var location: SourceLocation?

  /// Creates a markup; an empty one says that the description was not read from a file.
  public init(attributes: [Attribute] = [], children: [Child] = [], location: SourceLocation? = nil) {
    self.attributes = attributes
    self.children = children
    self.location = location
  }

  /// The attribute's value as written.
  public subscript(name: String) -> String? { attributes.first { $0.name == name }?.value }

  /// Where the attribute stands written, or else its element.
  public func location(of name: String) -> SourceLocation? {
    attributes.first { $0.name == name }?.location ?? location
  }

  /// Always true: see the type.
  public static func == (lhs: Markup, rhs: Markup) -> Bool { true }

  /// Adds nothing: see the type.
  public func hash(into hasher: inout Hasher) {}
}
