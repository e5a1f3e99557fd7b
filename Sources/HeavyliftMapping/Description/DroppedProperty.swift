/// A source property that is intentionally not migrated: `<drop name="room"/>`.
public struct DroppedProperty: Hashable, Sendable {
  /// The name of an attribute or a relationship of the source entity.
  public var name: String
  /// The location in the file and the surrounding comments.
  public var markup: MappingMarkup

  /// Creates a dropped property.
  public init(_ name: String, markup: MappingMarkup = MappingMarkup()) {
    self.name = name
    self.markup = markup
  }
}
