import Foundation
import Heavylift

/// A store and the schema of its objects.
///
/// ```swift
/// let container = try ModelContainer(for: Track.self, Artist.self, at: url)
/// let context = try ModelContext(container)
/// for track in try context.fetch(Track.self, where: "rating >= %d", 4) { print(track.title ?? "untitled") }
/// ```
///
/// A container can be shared between threads. Each context has its own connection to the store, and belongs to one
/// thread at a time together with its objects.
public final class ModelContainer: Sendable {
  /// The version of the schema whose classes the objects have.
  public let schema: Schema
  /// The store's file.
  public let url: URL
  /// A Boolean value that indicates whether contexts can save changes.
  public let isReadOnly: Bool
  /// The report of the migration that brought the store to the schema's version; nil if none was necessary.
  public let migrationReport: IncrementalMigrationReport?
  /// True for the working copy of a stage, in whose transaction only the engine can open contexts.
  private let isInStage: Bool
  /// The folder of a temporary store, which is removed with the container.
  private let temporaryFolder: TemporaryStoreFolder?

  /// Opens a store, or creates it if it does not exist.
  ///
  /// - Parameters:
  ///   - schema: The schema.
  ///   - url: The store's file.
  ///   - isReadOnly: True to open the store for reading only; it must exist.
  /// - Throws: A `Diagnostic` if the store has another version.
  public convenience init(for schema: Schema, at url: URL, isReadOnly: Bool = false) throws {
    try self.init(schema, url, isReadOnly: isReadOnly, migrationReport: nil)
  }

  /// The container of the context that a stage's handler gets.
  init(inStageOf schema: Schema, url: URL) {
    (self.schema, self.url) = (schema, url)
    (isReadOnly, migrationReport, isInStage, temporaryFolder) = (false, nil, true, nil)
  }

  init(
    _ schema: Schema, _ url: URL, isReadOnly: Bool, migrationReport: IncrementalMigrationReport?,
    in temporaryFolder: TemporaryStoreFolder? = nil
  ) throws {
    self.schema = schema
    self.url = url
    self.isReadOnly = isReadOnly
    self.migrationReport = migrationReport
    isInStage = false
    self.temporaryFolder = temporaryFolder
    if !isReadOnly, !FileManager.default.fileExists(atPath: url.path) {
      do {
        try PersistentStore.create(at: url, model: schema.model).close()
        return
      } catch let error as Diagnostic
        where error.code == "store.already-exists" && FileManager.default.fileExists(atPath: url.path)
      {
        // Another thread or process has created the store in the meantime.
      }
    }
    try openStore().close()
  }

  /// Opens a store of a version, or creates it if it does not exist.
  ///
  /// - Parameters:
  ///   - version: The version of the schema.
  ///   - url: The store's file.
  ///   - isReadOnly: True to open the store for reading only; it must exist.
  public convenience init(
    for version: any VersionedSchema.Type, at url: URL, isReadOnly: Bool = false
  ) throws {
    try self.init(for: Schema(versionedSchema: version), at: url, isReadOnly: isReadOnly)
  }

  /// Opens a store of some classes, or creates it if it does not exist.
  ///
  /// - Parameters:
  ///   - types: The classes of all entities.
  ///   - url: The store's file.
  ///   - profile: The form of enumerations, `Codable` values and arrays.
  ///   - isReadOnly: True to open the store for reading only; it must exist.
  public convenience init(
    for types: Entity.Type..., at url: URL, profile: StorageProfile = .coreData, isReadOnly: Bool = false
  ) throws {
    try self.init(for: Schema(types, profile: profile), at: url, isReadOnly: isReadOnly)
  }

  /// Opens a connection to the store.
  func openStore() throws -> PersistentStore {
    guard !isInStage else {
      throw Diagnostic(
        .error, code: "schema.container-of-stage",
        problem: "a stage's handler cannot create a context from 'container', because the store is its working copy",
        remedy: "use the context that the handler gets")
    }
    let file = try StoreFile(url: url, mode: isReadOnly ? .readOnly : .readWrite)
    // A store can embed a model of its own, which would be opened instead of the schema's.
    if case .one(let fit) = try file.version(among: [schema.model]), fit.evidence != .modelCache,
      file.metadata.versionID == schema.model.versionID
    {
      return try PersistentStore(file: file, model: schema.model)
    }
    let expected = schema.model.statedTitle.map { "schema \($0.quotedName)" } ?? "the schema"
    throw Diagnostic(
      .error, code: "schema.other-version",
      problem: "store '\(url.path)' has a different version than \(expected)\(try misfit(of: file))",
      remedy: "migrate the store to this version first")
  }

  /// Returns the first differences between the store and the schema.
  private func misfit(of file: StoreFile) throws -> String {
    let reasons: [String]
    if file.metadata.versionHashes == schema.model.versionHashes {
      let ids = [file.metadata.versionID, schema.model.versionID].map { $0.map(\.quotedName) ?? "none" }
      reasons = ["the store has version ID \(ids[0]), and the schema \(ids[1])"]
    } else if let own = try? file.cachedModel() {
      reasons = ModelDifference(from: own, to: schema.model).entities.filter(\.changesVersionHash).flatMap { entity in
        entity.difference == .changed
          ? entity.versionHashReasons.prefix(3).map { "entity '\(entity.name)': \($0)" } : [entity.summary]
      }
    } else if case .none(let misfits) = try file.version(among: [schema.model]) {
      reasons = misfits.first?.reasons.map { "\($0)" } ?? []
    } else {
      reasons = []
    }
    let shown = reasons.prefix(3).joined(separator: "; ")
    return shown.isEmpty ? "" : ": \(shown)" + (reasons.count > 3 ? "; and \(reasons.count - 3) more" : "")
  }
}
