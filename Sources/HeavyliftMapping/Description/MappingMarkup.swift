public import HeavyliftModel

/// How a part of a mapping stood written in a file: where, and with which comments.
///
/// Two markups are always equal: how a fact is written is no part of the fact. Comments are kept because people who live
/// with a mapping for years write down in them why it is so.
public struct MappingMarkup: Hashable, Sendable {
  /// Where one attribute of an element stands.
  public struct Attribute: Hashable, Sendable {
    /// Where the attribute's name stands.
    public var name: SourceLocation
    /// Where the characters of its value stand.
    public var value: TextPlaces

    /// Creates an attribute's places.
    public init(name: SourceLocation, value: TextPlaces) {
      self.name = name
      self.value = value
    }
  }

  /// Where the element starts.
  public var location: SourceLocation?
  /// By name.
  public var attributes: [String: Attribute]
  /// The comments that stand before the element, without their delimiters.
  public var comments: [String]
  /// The comments behind the element's last child.
  public var closingComments: [String]
  /// Blank lines, comments in other places, and the markup of parts that have none of their own.
  public var form: MappingForm

  /// Creates a markup; an empty one says that the part was not read from a file.
  public init(
    location: SourceLocation? = nil, attributes: [String: Attribute] = [:], comments: [String] = [],
    closingComments: [String] = [], form: MappingForm = MappingForm()
  ) {
    self.location = location
    self.attributes = attributes
    self.comments = comments
    self.closingComments = closingComments
    self.form = form
  }

  /// Where the attribute's value stands written, or else its element.
  public func location(of name: String) -> SourceLocation? { attributes[name]?.value.start ?? location }

  /// Where a character of the attribute's value stands, counted in Unicode scalars, or else the element.
  public func location(of name: String, scalarAt offset: Int) -> SourceLocation? {
    attributes[name]?.value.location(ofScalarAt: offset) ?? location
  }

  /// Always true: see the type.
  public static func == (lhs: MappingMarkup, rhs: MappingMarkup) -> Bool { true }

  /// Adds nothing: see the type.
  public func hash(into hasher: inout Hasher) {}
}
