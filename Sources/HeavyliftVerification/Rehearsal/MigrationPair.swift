public import Foundation
public import Heavylift
public import HeavyliftMapping
public import HeavyliftModel
import HeavyliftXML

/// Two versions of a model, and the mappings or the stages between them: the subject of one test.
///
/// ```swift
/// let pair = try MigrationPair(
///   models: folder.appending(path: "Music.xcdatamodeld"), from: "Music 1", to: "Music 2",
///   mappings: [folder.appending(path: "1-2.xml")], policies: PolicyRegistry(ArtistsFromJSON.self))
/// let migration = try pair.migrate(ObjectGraph(contentsOf: graph1, model: pair.sourceModel))
/// ```
public struct MigrationPair: Sendable {
  /// The version that stores are migrated from.
  public var sourceModel: ManagedObjectModel
  /// The version that stores are migrated to.
  public var destinationModel: ManagedObjectModel
  /// The mapping models, which run one after another into one destination; empty if stages lead from one version to the
  /// other.
  public var mappings: [MappingModel]
  /// The stages between the versions; `nil` if mapping models lead from one version to the other.
  public internal(set) var stages: StagedMigrationManager?
  /// The policies that mappings name.
  public var policies: PolicyRegistry
  /// The functions that `FUNCTION($manager, "selector:", …)` may call.
  public var functions: [String: MigrationFunction]
  /// The options of the migration.
  public var options = MigrationOptions()

  /// Creates a pair from values in memory.
  public init(
    sourceModel: ManagedObjectModel, destinationModel: ManagedObjectModel, mappings: [MappingModel],
    policies: PolicyRegistry = PolicyRegistry(), functions: [String: MigrationFunction] = [:]
  ) {
    self.sourceModel = sourceModel
    self.destinationModel = destinationModel
    self.mappings = mappings
    self.policies = policies
    self.functions = functions
  }

  /// Reads a pair from files.
  ///
  /// - Parameters:
  ///   - models: The file with the models: an `.xcdatamodeld`, an `.xcdatamodel`, a `.momd` or a `.mom`.
  ///   - destinationModels: The file with the destination model, if it is a different one.
  ///   - source: The name of the source version; may be omitted if the file has only one version.
  ///   - destination: The name of the destination version; may be omitted if its file has only one version.
  ///   - mappings: Mappings of any kind, in the order in which they run: mapping files, an `.xcmappingmodel` or a
  ///     `.cdm`.
  ///   - policies: The policies that mappings name.
  ///   - functions: The functions that `FUNCTION($manager, "selector:", …)` may call.
  public init(
    models: URL, from source: String? = nil, destinationModels: URL? = nil, to destination: String? = nil,
    mappings: [URL], policies: PolicyRegistry = PolicyRegistry(), functions: [String: MigrationFunction] = [:]
  ) throws {
    let old = try Self.model(source, in: models)
    let new = try Self.model(destination, in: destinationModels ?? models)
    self.init(
      sourceModel: old, destinationModel: new,
      mappings: try mappings.map {
        try MappingSource(path: $0.relativePath, url: $0).validMappingModel(from: old, to: new)
      }, policies: policies, functions: functions)
  }

  private static func model(_ name: String?, in url: URL) throws -> ManagedObjectModel {
    let source = try ModelSource(path: url.relativePath, url: url)
    let versions = try source.validVersions()
    // A bundle's current version changes with every new version; the versions that a test is about do not.
    guard name != nil || versions.count == 1 else {
      throw Diagnostic(
        .error, code: "test.no-version",
        problem: "'\(url.relativePath)' has \(versions.count) versions, and none was specified",
        remedy: versions.map(\.name).suggestion(forVersion: ""))
    }
    return try source.version(named: name).model
  }
}
