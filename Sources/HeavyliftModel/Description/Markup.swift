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
    /// The attribute as it stood, white space before it and quotes included, where a writer would not write it so.
    public var written: String?

    /// Creates an attribute.
    public init(name: String, value: String, location: SourceLocation? = nil, written: String? = nil) {
      self.name = name
      self.value = value
      self.location = location
      self.written = written
    }
  }

  /// One child of an element: something that the model knows, or text that is kept as it is.
  public enum Child: Hashable, Sendable {
    /// A child that became a description: its element's name, and its own name where it has one.
    case described(element: String, key: String)
    /// A child whose facts the description itself holds, such as its user info, as it stood written.
    case stated(element: String, key: String, text: String)
    /// Markup that means nothing to the model; written back word for word.
    case verbatim(String)
  }

  /// How an element stood written, in what is neither an attribute nor a child.
  public struct Form: Hashable, Sendable {
    /// What ended the start tag: `/>` or `>` in one of its spellings; nil for the usual one.
    public var startTagEnd: String?
    /// The end tag, where it is not the usual one.
    public var endTag: String?
    /// What stood in the file before a root element: declaration, document type, comments.
    public var prologue: String?
    /// What stood in the file after a root element.
    public var epilogue: String?

    /// Creates a form.
    public init(
      startTagEnd: String? = nil, endTag: String? = nil, prologue: String? = nil, epilogue: String? = nil
    ) {
      self.startTagEnd = startTagEnd
      self.endTag = endTag
      self.prologue = prologue
      self.epilogue = epilogue
    }
  }

  public var attributes: [Attribute]
  public var children: [Child]
  public var form: Form
  /// Where the element starts.
  public var location: SourceLocation?

  /// Creates a markup; an empty one says that the description was not read from a file.
  public init(
    attributes: [Attribute] = [], children: [Child] = [], form: Form = Form(), location: SourceLocation? = nil
  ) {
    self.attributes = attributes
    self.children = children
    self.form = form
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
