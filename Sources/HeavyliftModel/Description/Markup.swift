import HeavyliftConcurrency

/// The exact spelling of a description in its file: its attributes and the order of its children, word for word.
///
/// A description holds facts; its markup holds their spelling, so that writing a model back changes the text only where
/// facts have changed. Two markups are always equal, so that a model from a compiled file equals the same model from
/// XML.
public struct Markup: Hashable, Sendable {
  private struct Contents: Sendable {
    var attributes: [Attribute]
    var children: [Child]
    var form: Form
    var location: DiagnosticLocation?
  }
  @CopyOnWrite private var contents: Contents

  /// One attribute of an element, as written.
  package struct Attribute: Hashable, Sendable {
    /// The attribute's name.
    package var name: String
    /// The value with its character references and entities resolved, but not interpreted in any other way.
    package var value: String
    /// The location of the name in the file.
    package var location: DiagnosticLocation?
    /// The attribute's source text, including quotes and the white space before it; nil if a writer would produce the
    /// same text.
    package var written: String?

    /// Creates an attribute.
    package init(name: String, value: String, location: DiagnosticLocation? = nil, written: String? = nil) {
      self.name = name
      self.value = value
      self.location = location
      self.written = written
    }
  }

  /// One child of an element: either an element that is part of the model, or text that is kept unchanged.
  package enum Child: Hashable, Sendable {
    /// A child with a description of its own. `key` is its name, if it has one.
    case described(element: String, key: String)
    /// A child whose facts are part of this description, such as its user info, with the child's source text.
    case stated(element: String, key: String, text: String)
    /// Markup that has no meaning for the model; written back word for word.
    case verbatim(String)
  }

  /// The source text of an element, apart from its attributes and children.
  package struct Form: Hashable, Sendable {
    /// The end of the start tag: `/>` or `>` in one of its spellings; nil for the usual one.
    package var startTagEnd: String?
    /// The end tag, if it differs from the usual one.
    package var endTag: String?
    /// Text before the root element: declaration, document type, comments.
    package var prologue: String?
    /// Text after the root element.
    package var epilogue: String?

    /// Creates a form.
    package init(
      startTagEnd: String? = nil, endTag: String? = nil, prologue: String? = nil, epilogue: String? = nil
    ) {
      self.startTagEnd = startTagEnd
      self.endTag = endTag
      self.prologue = prologue
      self.epilogue = epilogue
    }
  }

  /// The element's attributes in the order of the file.
  package var attributes: [Attribute] {
    get { contents.attributes }
    _modify { yield &contents.attributes }
  }
  /// The element's children in the order of the file.
  package var children: [Child] {
    get { contents.children }
    _modify { yield &contents.children }
  }
  /// The source text of the tags, and of what surrounds the root.
  package var form: Form {
    get { contents.form }
    _modify { yield &contents.form }
  }
  /// The location of the element's start.
  package var location: DiagnosticLocation? {
    get { contents.location }
    _modify { yield &contents.location }
  }

  /// Creates the markup of a description that was not read from a file.
  public init() { self.init(attributes: []) }

  /// Creates a markup. An empty one means that the description was not read from a file.
  package init(
    attributes: [Attribute] = [], children: [Child] = [], form: Form = Form(), location: DiagnosticLocation? = nil
  ) {
    contents = Contents(attributes: attributes, children: children, form: form, location: location)
  }

  /// Returns the attribute's value as written.
  package subscript(name: String) -> String? { attributes.first { $0.name == name }?.value }

  /// Returns the location of the attribute, or of its element if the attribute is missing.
  package func location(of name: String) -> DiagnosticLocation? {
    attributes.first { $0.name == name }?.location ?? location
  }

  /// Returns true: markup never affects equality.
  public static func == (lhs: Markup, rhs: Markup) -> Bool { true }

  /// Does nothing: markup never affects equality.
  public func hash(into hasher: inout Hasher) {}
}
