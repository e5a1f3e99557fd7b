public import HeavyliftExpression

/// The mapping of one destination property.
public struct PropertyMappingDescription: Hashable, Sendable {
  /// The kind of a mapped property.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The property gets a value.
    case attribute
    /// The property gets objects.
    case relationship
  }

  /// The source of the value.
  public enum Source: Hashable, Sendable {
    /// The source property with the same name or renaming identifier.
    case automatic
    /// No value: an attribute keeps its default, a relationship stays empty.
    case unmapped
    /// The value or objects of an expression.
    case expression(MappingExpression)
    /// The destination objects created from the source objects that `from` returns or, if `from` is nil, from those in
    /// the source relationship with the same name. `through` names the entity mapping; nil means any that fits.
    case related(from: MappingExpression?, through: String?)
  }

  /// The kind of property: attribute or relationship.
  public var kind: Kind
  /// The name of the destination property.
  public var name: String
  /// The source of the value.
  public var source: Source
  /// True if the last of several owners keeps a shared target when the destination model allows only one owner:
  /// `shared="last"`. Otherwise, a store with such targets is not migrated.
  public var leavesSharedToLast: Bool
  /// User info for the policy.
  public var userInfo: [String: String]
  /// The location in the file and the surrounding comments.
  public var markup: MappingMarkup

  /// Creates a property mapping.
  public init(
    _ kind: Kind, name: String, source: Source = .automatic, leavesSharedToLast: Bool = false,
    userInfo: [String: String] = [:], markup: MappingMarkup = MappingMarkup()
  ) {
    self.kind = kind
    self.name = name
    self.source = source
    self.leavesSharedToLast = leavesSharedToLast
    self.userInfo = userInfo
    self.markup = markup
  }

  /// Creates a mapping of an attribute to the value of an expression.
  public static func attribute(_ name: String, _ value: MappingExpression) -> PropertyMappingDescription {
    PropertyMappingDescription(.attribute, name: name, source: .expression(value))
  }

  /// Creates a mapping of a relationship to the objects of an expression.
  public static func relationship(_ name: String, _ value: MappingExpression) -> PropertyMappingDescription {
    PropertyMappingDescription(.relationship, name: name, source: .expression(value))
  }

  /// Creates a mapping of a relationship to the counterparts of source objects.
  public static func relationship(
    _ name: String, from source: MappingExpression? = nil, through entityMapping: String? = nil
  ) -> PropertyMappingDescription {
    PropertyMappingDescription(.relationship, name: name, source: .related(from: source, through: entityMapping))
  }
}
