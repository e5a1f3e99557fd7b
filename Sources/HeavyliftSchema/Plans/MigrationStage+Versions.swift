import Heavylift

extension MigrationStage {
  /// Returns a stage without code: objects are copied, new attributes get their initial values, and properties that the
  /// newer version does not have are removed.
  ///
  /// ```swift
  /// .lightweight(fromVersion: MusicV2.self, toVersion: MusicV3.self, removing: ["Track.legacyJSON"])
  /// ```
  ///
  /// - Parameters:
  ///   - source: The older version.
  ///   - destination: The version after it.
  ///   - removed: The properties and entities of the older version, such as `Track.legacyJSON` and `Draft`, that were not
  ///     renamed, although the newer version has a new one of the same type or with a similar name. Such a removal is an
  ///     error unless it is listed here, so that no values are lost because an `originalName` was forgotten.
  ///   - label: The stage's name in plans and messages; nil for the names of both versions.
  public static func lightweight(
    fromVersion source: any VersionedSchema.Type, toVersion destination: any VersionedSchema.Type,
    removing removed: [String] = [], label: String? = nil
  ) -> MigrationStage {
    DeclaredMigrationStage(SchemaStage(source, destination, handlers: nil, removed: removed), label: label)
  }

  /// Returns a stage with code that runs before and after the structure of the store changes.
  ///
  /// ```swift
  /// .custom(fromVersion: MusicV1.self, toVersion: MusicV2.self) { context in
  ///   for track in try context.fetch(MusicV2.Track.self) { track.addedAt = Date() }
  /// }
  /// ```
  ///
  /// In `willMigrate`, the context has the objects of the older version, in `didMigrate` those of the newer one. New
  /// required attributes may be empty until `didMigrate` returns: reading one that is still empty is an error that names
  /// it, and so is leaving one empty. Unsaved changes are saved when the closure returns. Each closure runs exactly
  /// once, on a private copy of the store, and an error undoes all of its changes.
  ///
  /// - Parameters:
  ///   - source: The older version.
  ///   - destination: The version after it.
  ///   - removed: The properties and entities of the older version that were not renamed, although the newer version has a
  ///     new one of the same type or with a similar name. A removal that is not listed here is a warning.
  ///   - label: The stage's name in plans and messages; nil for the names of both versions.
  ///   - revision: An identifier for the code of the closures. Change it whenever you change a closure, so that a resumed
  ///     migration does not keep the results of an earlier revision.
  ///   - willMigrate: Runs before the structure changes; nil for nothing.
  ///   - didMigrate: Runs after the structure has changed; nil for nothing.
  public static func custom(
    fromVersion source: any VersionedSchema.Type, toVersion destination: any VersionedSchema.Type,
    removing removed: [String] = [], label: String? = nil, revision: String = "",
    willMigrate: (@Sendable (ModelContext) throws -> Void)? = nil,
    didMigrate: (@Sendable (ModelContext) throws -> Void)?
  ) -> MigrationStage {
    let handlers = SchemaStage.Handlers(willMigrate: willMigrate, didMigrate: didMigrate, revision: revision)
    return DeclaredMigrationStage(SchemaStage(source, destination, handlers: handlers, removed: removed), label: label)
  }

  /// Returns a stage with code that is called for each object of a class.
  ///
  /// ```swift
  /// .custom(
  ///   fromVersion: PlacesV1.self, toVersion: PlacesV2.self,
  ///   migrate: { (old: PlacesV1.Place, new: PlacesV2.Place) in
  ///     new.point = Point3D(x: old.point.x, y: old.point.y, z: 0)
  ///   })
  /// ```
  ///
  /// The old object is read-only. Changes are saved from time to time, so that memory does not grow with the number of
  /// objects. For several classes, pass several of `ObjectMigration`.
  ///
  /// - Parameters:
  ///   - source: The older version.
  ///   - destination: The version after it.
  ///   - removed: The properties and entities of the older version that were not renamed, although the newer version has a
  ///     new one of the same type or with a similar name. A removal that is not listed here is a warning.
  ///   - label: The stage's name in plans and messages; nil for the names of both versions.
  ///   - revision: An identifier for the code of the closures. Change it whenever you change a closure.
  ///   - willMigrate: Runs before the structure changes; nil for nothing.
  ///   - migrate: Is called with each migrated object and the one that it comes from.
  ///   - didMigrate: Runs after `migrate` has been called for all objects; nil for nothing.
  public static func custom<Old: Entity, New: Entity>(
    fromVersion source: any VersionedSchema.Type, toVersion destination: any VersionedSchema.Type,
    removing removed: [String] = [], label: String? = nil, revision: String = "",
    willMigrate: (@Sendable (ModelContext) throws -> Void)? = nil,
    migrate: @escaping @Sendable (_ old: Old, _ new: New) throws -> Void,
    didMigrate: (@Sendable (ModelContext) throws -> Void)? = nil
  ) -> MigrationStage {
    let handlers = SchemaStage.Handlers(
      willMigrate: willMigrate, objects: [ObjectMigration(migrate)], didMigrate: didMigrate, revision: revision)
    return DeclaredMigrationStage(SchemaStage(source, destination, handlers: handlers, removed: removed), label: label)
  }

  /// Returns a stage with code for the objects of several classes.
  ///
  /// ```swift
  /// .custom(
  ///   fromVersion: MusicV1.self, toVersion: MusicV2.self,
  ///   migrate: [
  ///     ObjectMigration { (old: MusicV1.Track, new: MusicV2.Track) in new.seconds = old.minutes * 60 },
  ///     ObjectMigration { (old: MusicV1.Album, new: MusicV2.Album) in new.year = Int(old.released) },
  ///   ])
  /// ```
  ///
  /// - Parameters:
  ///   - source: The older version.
  ///   - destination: The version after it.
  ///   - removed: The properties and entities of the older version that were not renamed, although the newer version has a
  ///     new one of the same type or with a similar name. A removal that is not listed here is a warning.
  ///   - label: The stage's name in plans and messages; nil for the names of both versions.
  ///   - revision: An identifier for the code of the closures. Change it whenever you change a closure.
  ///   - willMigrate: Runs before the structure changes; nil for nothing.
  ///   - migrations: The code for the objects of each class, in the order in which it runs.
  ///   - didMigrate: Runs after the code for all objects; nil for nothing.
  public static func custom(
    fromVersion source: any VersionedSchema.Type, toVersion destination: any VersionedSchema.Type,
    removing removed: [String] = [], label: String? = nil, revision: String = "",
    willMigrate: (@Sendable (ModelContext) throws -> Void)? = nil,
    migrate migrations: [ObjectMigration], didMigrate: (@Sendable (ModelContext) throws -> Void)? = nil
  ) -> MigrationStage {
    let handlers = SchemaStage.Handlers(
      willMigrate: willMigrate, objects: migrations, didMigrate: didMigrate, revision: revision)
    return DeclaredMigrationStage(SchemaStage(source, destination, handlers: handlers, removed: removed), label: label)
  }
}
