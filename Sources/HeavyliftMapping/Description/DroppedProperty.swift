/// A source property whose values are not migrated on purpose: `<drop name="room"/>`.
public struct DroppedProperty: Hashable, Sendable {
  /// The name of an attribute or a relationship of the source entity.
  public var name: String
  /// Its place in the file, and what is around it.
  public var markup: MappingMarkup

  /// Creates a dropped property.
  public init(_ name: String, markup: MappingMarkup = MappingMarkup()) {
    self.name = name
    self.markup = markup
  }
}
