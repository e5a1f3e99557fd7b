public import Foundation
public import Heavylift
public import HeavyliftMapping
public import HeavyliftModel
import HeavyliftXML

/// Two versions of a model and the way from one to the other: what one test is about.
///
/// ```swift
/// let pair = try MigrationPair(
///   models: folder.appending(path: "Music.xcdatamodeld"), from: "Music 1", to: "Music 2",
///   mappings: [folder.appending(path: "1-2.xml")], policies: PolicyRegistry(ArtistsFromJSON.self))
/// let migration = try pair.migrate(ObjectGraph(contentsOf: graph1, model: pair.sourceModel))
/// ```
public struct MigrationPair {
  /// The version that stores begin with.
  public var sourceModel: ManagedObjectModel
  /// The version that they end with.
  public var destinationModel: ManagedObjectModel
  /// One after the other, into one destination.
  public var mappings: [MappingModel]
  /// Where policies are found that mappings name.
  public var policies: PolicyRegistry
  /// What `FUNCTION($manager, "selector:", …)` may call.
  public var functions: [String: MigrationFunction]
  /// What holds for the migration.
  public var options = MigrationOptions()

  /// Creates a pair of values.
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
  ///   - models: An `.xcdatamodeld`.
  ///   - destinationModels: Where the destination's model is, if it is another file.
  ///   - source: The name of the source's version; may be left out where the file has one version only.
  ///   - destination: The name of the destination's version, likewise.
  ///   - mappings: Mapping files, in the order in which they run.
  ///   - policies: What mappings name.
  ///   - functions: What `FUNCTION($manager, "selector:", …)` may call.
  public init(
    models: URL, from source: String? = nil, destinationModels: URL? = nil, to destination: String? = nil,
    mappings: [URL], policies: PolicyRegistry = PolicyRegistry(), functions: [String: MigrationFunction] = [:]
  ) throws {
    self.init(
      sourceModel: try Self.model(source, in: models),
      destinationModel: try Self.model(destination, in: destinationModels ?? models),
      mappings: try mappings.map { try MappingReader.read(contentsOf: $0).validMappingModel() }, policies: policies,
      functions: functions)
  }

  private static func model(_ name: String?, in url: URL) throws -> ManagedObjectModel {
    let versions = try ModelBundle(contentsOf: url).versions.map(\.model)
    if let name, let model = versions.first(where: { $0.name == name }) { return model }
    if name == nil, versions.count == 1 { return versions[0] }
    let names = versions.compactMap(\.name)
    guard let name else {
      throw Diagnostic(
        .error, code: "test.no-version",
        problem: "'\(url.relativePath)' has \(versions.count) versions, and none is named",
        remedy: names.suggestion(for: "", kind: "version"))
    }
    throw Diagnostic(
      .error, code: "test.unknown-version", problem: "'\(url.relativePath)' has no version \(name.quotedName)",
      remedy: names.suggestion(for: name, kind: "version"))
  }
}
