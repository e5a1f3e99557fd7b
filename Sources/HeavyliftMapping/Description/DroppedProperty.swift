/// A source property that is intentionally not migrated: `<drop name="room"/>`. If only some elements of a composite
/// are not migrated, it can name one of them: `<drop name="address.city"/>`.
public struct DroppedProperty: Hashable, Sendable {
  /// The name of an attribute or a relationship of the source entity, or the path of a composite's element.
  public var name: String
  /// The location in the file and the surrounding comments.
  public var markup: MappingMarkup

  /// Creates a dropped property.
  public init(_ name: String, markup: MappingMarkup = MappingMarkup()) {
    self.name = name
    self.markup = markup
  }

  /// Returns true for the property itself and for the elements of a composite.
  func covers(_ name: String) -> Bool { name == self.name || name.hasPrefix(self.name + ".") }
}
