import HeavyliftModel

/// A version of an object model, made from Swift classes.
///
/// ```swift
/// let schema = try Schema([Track.self, Artist.self], version: Schema.Version(2, 0, 0))
/// print(schema.model.versionHashes["Track"])
/// ```
///
/// A schema is checked when it is made. It can be shared between threads, as can a `ModelContainer`.
public struct Schema: Sendable {
  /// The model that the classes describe, for everything that needs a model: stores, mappings, migrations.
  public private(set) var model: ManagedObjectModel
  /// The version, which stores record among their version identifiers; nil for none.
  public let version: Version?
  /// The form of enumerations, `Codable` values and arrays.
  public let profile: StorageProfile
  /// Warnings and notes of the check.
  public let warnings: [Diagnostic]
  let entities: [SchemaEntity]

  /// Creates a schema from entity classes.
  ///
  /// The name of an entity is the name of its class without its scope.
  /// - Parameters:
  ///   - types: The classes of all entities.
  ///   - version: The version.
  ///   - profile: The form of enumerations, `Codable` values and arrays.
  ///   - versionID: An identifier that distinguishes the version from another one with the same version hashes.
  /// - Throws: `DiagnosticList` with all mistakes in the classes.
  public init(
    _ types: [Entity.Type], version: Version? = nil, profile: StorageProfile = .coreData, versionID: String? = nil
  ) throws {
    try self.init(SchemaBuilder(types, profile: profile, stripsVersions: false), version, versionID)
  }

  /// Creates a schema from entity classes whose names can end with a version: entity `Track` from class `Track_v2`.
  ///
  /// - Parameters:
  ///   - types: The classes of all entities.
  ///   - version: The version.
  ///   - profile: The form of enumerations, `Codable` values and arrays.
  ///   - versionID: An identifier that distinguishes the version from another one with the same version hashes.
  /// - Throws: `DiagnosticList` with all mistakes in the classes.
  public init(
    objectTypes types: [Entity.Type], version: Version? = nil, profile: StorageProfile = .coreData,
    versionID: String? = nil
  ) throws {
    try self.init(SchemaBuilder(types, profile: profile, stripsVersions: true), version, versionID)
  }

  /// Creates the schema of a version.
  ///
  /// - Parameter type: The version.
  /// - Throws: `DiagnosticList` with all mistakes in the classes.
  public init(versionedSchema type: any VersionedSchema.Type) throws {
    try self.init(
      type.models, version: type.versionIdentifier, profile: type.storageProfile, versionID: type.versionID)
    let name = TypeName.scoped(type)
    // Mapping files and frozen models refer to the version by the name of its type.
    (model.name, model.longName) = (name, "\(name) (\(type.versionIdentifier))")
  }

  private init(_ builder: SchemaBuilder, _ version: Version?, _ versionID: String?) throws {
    var builder = builder
    let parts = builder.build()
    var model = parts.model
    if let version {
      model.versionIdentifiers = [version.description]
      model.name = version.description
    }
    model.versionID = versionID
    for entity in parts.entities {
      let names = entity.properties.filter(\.defaultVaries).map(\.name)
      if !names.isEmpty { model.varyingDefaults[entity.name] = Set(names) }
    }
    // The check of the model would repeat the mistakes in other words, or report their consequences.
    let found = builder.mistakes.isEmpty ? model.check() : builder.mistakes.map(\.diagnostic)
    let errors = found.filter { $0.severity == .error }
    guard errors.isEmpty else { throw DiagnosticList(errors) }
    self.model = model
    self.version = version
    profile = builder.profile
    warnings = (found.filter { $0.severity != .error } + builder.warnings).sortedByPlace()
    entities = parts.entities
  }

  /// Returns the schema with a name for its version in messages, unless it has one.
  func named(_ name: String) -> Schema {
    var schema = self
    if schema.model.name == nil { schema.model.name = name }
    return schema
  }

  /// The classes of all entities, sorted by the name of the entity.
  public var types: [Entity.Type] { entities.map(\.type.type) }

  /// Returns the name of the entity that a class describes; nil if the schema does not have the class.
  ///
  /// - Parameter type: The class.
  public func entityName(of type: Entity.Type) -> String? { entities.first { $0.type.type == type }?.name }
}
