import HeavyliftConcurrency
import HeavyliftModel

/// The location and comments of an element in a mapping file.
///
/// Any two markups compare equal: layout and comments do not change what a mapping does. Comments are kept because
/// teams that maintain a mapping for years document their reasons in them.
public struct MappingMarkup: Hashable, Sendable {
  private struct Contents: Sendable {
    var location: DiagnosticLocation?
    var attributes: [String: Attribute]
    var comments: [String]
    var closingComments: [String]
    var form: MappingForm
  }
  @CopyOnWrite private var contents: Contents

  /// The location of an element's attribute.
  package struct Attribute: Hashable, Sendable {
    /// The location of the attribute's name.
    package var name: DiagnosticLocation
    /// The locations of the characters in the attribute's value.
    package var value: TextPlaces

    /// Creates the location of an attribute.
    package init(name: DiagnosticLocation, value: TextPlaces) {
      self.name = name
      self.value = value
    }
  }

  /// The start of the element.
  package var location: DiagnosticLocation? {
    get { contents.location }
    _modify { yield &contents.location }
  }
  /// The attributes by name.
  package var attributes: [String: Attribute] {
    get { contents.attributes }
    _modify { yield &contents.attributes }
  }
  /// The comments before the element, without their delimiters.
  package var comments: [String] {
    get { contents.comments }
    _modify { yield &contents.comments }
  }
  /// The comments after the element's last child.
  package var closingComments: [String] {
    get { contents.closingComments }
    _modify { yield &contents.closingComments }
  }
  /// Blank lines, comments in other places, and the markup of parts that are kept as plain values.
  package var form: MappingForm {
    get { contents.form }
    _modify { yield &contents.form }
  }

  /// Creates the markup of a description that was not read from a file.
  public init() { self.init(attributes: [:]) }

  /// Creates a markup; by default, that of a part that was not read from a file.
  package init(
    location: DiagnosticLocation? = nil, attributes: [String: Attribute] = [:], comments: [String] = [],
    closingComments: [String] = [], form: MappingForm = MappingForm()
  ) {
    contents = Contents(
      location: location, attributes: attributes, comments: comments, closingComments: closingComments, form: form)
  }

  /// Returns the location of the attribute's value, or of the element if there is no such attribute.
  package func location(of name: String) -> DiagnosticLocation? { attributes[name]?.value.start ?? location }

  /// Returns the location of the Unicode scalar at an offset in the attribute's value, or else of the element.
  package func location(of name: String, scalarAt offset: Int) -> DiagnosticLocation? {
    attributes[name]?.value.location(ofScalarAt: offset) ?? location
  }

  /// Always true; see `MappingMarkup`.
  public static func == (lhs: MappingMarkup, rhs: MappingMarkup) -> Bool { true }

  /// Does nothing; see `MappingMarkup`.
  public func hash(into hasher: inout Hasher) {}
}
