public import HeavyliftExpression

/// Where the value of one destination property comes from.
public struct PropertyMappingDescription: Hashable, Sendable {
  /// Whether the file speaks of an attribute or of a relationship.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// It gets a value.
    case attribute
    /// It gets objects.
    case relationship
  }

  /// What was said about the value.
  public enum Source: Hashable, Sendable {
    /// The source property of the same name, or that the renaming identifier leads to.
    case automatic
    /// Nothing: an attribute keeps its default, a relationship stays empty.
    case unmapped
    /// The value or the objects that an expression gives.
    case expression(MappingExpression)
    /// What became of source objects: those that the expression gives, or else those of the source relationship of the
    /// same name; through the entity mapping of that name, or else through whichever fit.
    case related(from: MappingExpression?, through: String?)
  }

  /// Attribute or relationship.
  public var kind: Kind
  /// Of the destination property.
  public var name: String
  /// Where what it gets comes from.
  public var source: Source
  /// True if an object that several others lead to may stay with the last of them, because the destination model leaves it
  /// to one: `shared="last"`. Without it, a store with such objects is not migrated.
  public var leavesSharedToLast: Bool
  /// What a policy may ask for.
  public var userInfo: [String: String]
  /// Where in the file it stands, and what stands around it.
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

  /// An attribute with the value of an expression.
  public static func attribute(_ name: String, _ value: MappingExpression) -> PropertyMappingDescription {
    PropertyMappingDescription(.attribute, name: name, source: .expression(value))
  }

  /// A relationship with the objects that an expression gives.
  public static func relationship(_ name: String, _ value: MappingExpression) -> PropertyMappingDescription {
    PropertyMappingDescription(.relationship, name: name, source: .expression(value))
  }

  /// A relationship with what became of source objects.
  public static func relationship(
    _ name: String, from source: MappingExpression? = nil, through entityMapping: String? = nil
  ) -> PropertyMappingDescription {
    PropertyMappingDescription(.relationship, name: name, source: .related(from: source, through: entityMapping))
  }
}
