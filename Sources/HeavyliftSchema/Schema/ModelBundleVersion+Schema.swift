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
  ///   - name: The name; nil for that of the type: `MusicV2`, or `Music.V2` if it is nested.
  /// - Throws: `DiagnosticList` with all mistakes in the classes.
  public init(_ type: any VersionedSchema.Type, name: String? = nil) throws {
    var model = try Schema(versionedSchema: type).model.withoutVaryingDefaults
    if let name { model.name = name }
    self.init(name: name ?? TypeName.scoped(type), model: model)
  }
}
