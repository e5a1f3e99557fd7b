/// A group of properties whose combined values no two objects may share.
///
/// ```swift
/// override class var uniquenessConstraints: [Unique] { [Unique(\Track.$album, \Track.$number)] }
/// ```
///
/// For a single attribute, the option `.unique` is shorter.
public struct Unique: Hashable, Sendable {
  let properties: [PropertyName]

  /// Creates a constraint.
  ///
  /// - Parameter properties: Key paths to the properties: `\Track.$number`.
  public init(_ properties: AnyKeyPath...) { self.properties = properties.map(PropertyName.init(path:)) }

  /// Creates a constraint.
  ///
  /// - Parameter names: The names of the properties in the store.
  @_disfavoredOverload
  public init(_ names: String...) { properties = names.map(PropertyName.init(text:)) }
}

/// The name of a property in a declaration.
struct PropertyName: Hashable, Sendable {
  /// The name in the store; nil for a key path that leads to something else than a property.
  var text: String?
  /// The class of the key path; nil if the property is given by name.
  var className: String?

  init(text: String) { self.text = text }

  init(path: AnyKeyPath) {
    text = EntityType.property(at: path)?.name
    className = TypeName.scoped(Swift.type(of: path).rootType)
  }
}
