import Foundation
import Heavylift

extension ModelContainer {
  /// Creates an empty store for a test or a preview, which is removed along with the container.
  ///
  /// ```swift
  /// let context = try ModelContext(ModelContainer.temporary(for: Track.self, Artist.self))
  /// ```
  ///
  /// The store is a file like any other, so that it behaves like any other.
  ///
  /// - Parameters:
  ///   - types: The classes of all entities.
  ///   - profile: The form of enumerations, `Codable` values and arrays.
  public static func temporary(
    for types: Entity.Type..., profile: StorageProfile = .coreData
  ) throws -> ModelContainer {
    try temporary(for: Schema(types, profile: profile))
  }

  /// Creates an empty store of a version for a test or a preview, which is removed along with the container.
  ///
  /// - Parameter version: The version of the schema.
  public static func temporary(for version: any VersionedSchema.Type) throws -> ModelContainer {
    try temporary(for: Schema(versionedSchema: version))
  }

  /// Creates an empty store of a schema for a test or a preview, which is removed along with the container.
  ///
  /// - Parameter schema: The schema.
  public static func temporary(for schema: Schema) throws -> ModelContainer {
    let folder = try TemporaryStoreFolder()
    return try ModelContainer(
      schema, folder.url.appending(path: "Store.sqlite"), isReadOnly: false, migrationReport: nil, in: folder)
  }
}

/// A folder that is removed when nothing refers to it.
final class TemporaryStoreFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "heavylift-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}
