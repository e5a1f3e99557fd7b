import HeavyliftModel

/// An entity of a schema: its class, and how the class's properties are stored.
struct SchemaEntity: Sendable {
  let name: String
  let type: EntityType
  /// By the number of their wrapper.
  let properties: [SchemaProperty]
}

/// A property of an entity of a schema.
struct SchemaProperty: Sendable {
  let name: String
  let swiftName: String
  /// The declared Swift type without its scope, with the elements of a structure.
  let typeText: String
  /// The form in which the values of an attribute encode themselves.
  var shape: TypeShape?
  let isFetched: Bool
  /// The `ValueCodec` of an attribute.
  var codec: (any Sendable & AnyObject)?
  var freshValue: (@Sendable () throws -> StoredValue)?
  /// True for an attribute whose initial value differs each time.
  var defaultVaries = false
}
