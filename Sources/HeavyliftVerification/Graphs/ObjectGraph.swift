public import HeavyliftModel

/// The objects of a store as a person writes them down: each with a name of its own, by which others refer to it.
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
/// An attribute that is not mentioned has the model's default, a relationship that is not mentioned follows from the other
/// side. So a graph always tells of everything, and two graphs can be held against each other.
public struct ObjectGraph: Hashable, Sendable {
  /// One object.
  public struct Object: Hashable, Sendable {
    /// Known in its graph only.
    public var name: String
    /// The entity that it is of.
    public var entityName: String
    /// Those that are not mentioned have the model's default.
    public var attributes: [String: Value]
    /// The names of the targets, in order if the relationship is ordered; of a to-one relationship one at most.
    public var relationships: [String: [String]]
    /// Properties of which nothing is said, on purpose: `{"any": true}`. Only an expectation can leave something open.
    public var openProperties: Set<String>
    /// What somebody remarked on the object, under the name `//`.
    public var remark: String?
    /// Where in the file its name stands.
    public var location: SourceLocation?
    /// Where each property stands that is mentioned.
    public var propertyLocations: [String: SourceLocation]

    /// Creates an object.
    public init(
      _ name: String, entityName: String, attributes: [String: Value] = [:], relationships: [String: [String]] = [:],
      openProperties: Set<String> = [], location: SourceLocation? = nil,
      propertyLocations: [String: SourceLocation] = [:]
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

  /// The model that the objects are of; nil where nobody said.
  public var modelName: String?
  /// In the order in which they stand written, which is that of their keys in a store that is built.
  public var objects: [Object]

  /// Creates a graph.
  public init(modelName: String? = nil, objects: [Object] = []) {
    self.modelName = modelName
    self.objects = objects
  }

  /// The object of that name.
  public func object(named name: String) -> Object? { objects.first { $0.name == name } }
}
