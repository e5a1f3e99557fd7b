/// An index that the store maintains for an entity.
///
/// ```swift
/// override class var indexes: [Index] { [Index(\Track.$title), Index(\Track.$album, \Track.$number)] }
/// ```
public struct Index: Hashable, Sendable {
  let properties: [PropertyName]
  let name: String?
  let isDescending: Bool

  /// Creates an index.
  ///
  /// - Parameters:
  ///   - properties: Key paths to the properties, the most important one first.
  ///   - name: The name of the index; nil for `by` and the names of the properties, or the name that SwiftData gives it.
  ///   - isDescending: True to order the index from the largest to the smallest value.
  public init(_ properties: AnyKeyPath..., name: String? = nil, isDescending: Bool = false) {
    self.properties = properties.map(PropertyName.init(path:))
    self.name = name
    self.isDescending = isDescending
  }

  /// Creates an index.
  ///
  /// - Parameters:
  ///   - names: The names of the properties in the store, the most important one first.
  ///   - name: The name of the index; nil for `by` and the names of the properties, or the name that SwiftData gives it.
  ///   - isDescending: True to order the index from the largest to the smallest value.
  @_disfavoredOverload
  public init(_ names: String..., name: String? = nil, isDescending: Bool = false) {
    properties = names.map(PropertyName.init(text:))
    self.name = name
    self.isDescending = isDescending
  }
}
