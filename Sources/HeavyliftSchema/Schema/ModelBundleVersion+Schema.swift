import Heavylift

extension ModelBundle.Version {
  /// Creates a version of a bundle from a version of a schema.
  ///
  /// ```swift
  /// tool.code.versions = [try ModelBundle.Version(MusicV1.self), try ModelBundle.Version(MusicV2.self)]
  /// ```
  ///
  /// An initial value that differs each time, such as `UUID()`, is not a default value of the version's model: the model
  /// would be another one in each process.
  ///
  /// - Parameters:
  ///   - type: The version of the schema.
  ///   - name: The name; nil for that of the type.
  /// - Throws: `DiagnosticList` with all mistakes in the classes.
  public init(_ type: any VersionedSchema.Type, name: String? = nil) throws {
    let schema = try Schema(versionedSchema: type)
    var model = schema.model
    let varying = Dictionary(
      uniqueKeysWithValues: schema.entities.map { entity in
        (entity.name, Set(entity.properties.filter(\.defaultVaries).map(\.name)))
      })
    for entity in model.entities.indices {
      let names = varying[model.entities[entity].name] ?? []
      for attribute in model.entities[entity].attributes.indices
      where names.contains(model.entities[entity].attributes[attribute].name) {
        model.entities[entity].attributes[attribute].defaultValue = .null
      }
    }
    self.init(name: name ?? TypeName.simple(type), model: model)
  }
}
