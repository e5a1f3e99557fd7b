public import HeavyliftModel

/// The objects of a store in readable form: each has a name, and other objects refer to it by that name.
///
/// ```json
/// {
///   "model": "Music 2",
///   "objects": {
///     "Artist": { "miles": { "name": "Miles" } },
///     "Track": { "so what": { "title": "So What", "duration": 545, "artists": ["miles"] } }
///   }
/// }
/// ```
///
/// An omitted attribute has the model's default, and an omitted relationship follows from the other side. So a graph is
/// always complete, and two graphs can be compared.
public struct ObjectGraph: Hashable, Sendable {
  /// One object.
  public struct Object: Hashable, Sendable {
    /// The object's name, which exists only in the graph.
    public var name: String
    /// The name of its entity.
    public var entityName: String
    /// The values of attributes; omitted ones have the model's default.
    public var attributes: [String: Value]
    /// The names of the targets, in order if the relationship is ordered; at most one for a to-one relationship.
    public var relationships: [String: [String]]
    /// Properties left open: `{"any": true}`. Only an expectation can leave a property open.
    public var openProperties: Set<String>
    /// The comment on the object, under the name `//`.
    public var remark: String?
    /// The location of its name in the file.
    public var location: DiagnosticLocation?
    /// The locations of its properties in the file.
    public var propertyLocations: [String: DiagnosticLocation]

    /// Creates an object.
    public init(
      _ name: String, entityName: String, attributes: [String: Value] = [:], relationships: [String: [String]] = [:],
      openProperties: Set<String> = [], location: DiagnosticLocation? = nil,
      propertyLocations: [String: DiagnosticLocation] = [:]
    ) {
      self.name = name
      self.entityName = entityName
      self.attributes = attributes
      self.relationships = relationships
      self.openProperties = openProperties
      self.location = location
      self.propertyLocations = propertyLocations
    }
  }

  /// The name of the objects' model; `nil` if the graph does not name it.
  public var modelName: String?
  /// The objects in file order, which is also the order of their keys in a store built from the graph.
  public var objects: [Object]

  /// Creates a graph.
  public init(modelName: String? = nil, objects: [Object] = []) {
    self.modelName = modelName
    self.objects = objects
  }

  /// Returns the object with a name; `nil` if there is none.
  public func object(named name: String) -> Object? { objects.first { $0.name == name } }
}
