public import Foundation
public import Heavylift
import HeavyliftModel
import HeavyliftXML

extension MigrationPair {
  /// Creates a pair of versions that stages lead between, usually two neighboring ones.
  ///
  /// ```swift
  /// let stages = try StagedMigrationManager(MusicHistory.stages, versions: models)
  /// let pair = try MigrationPair(stages: stages, from: "Music 1", to: "Music 2")
  /// let migration = try pair.migrate(ObjectGraph(contentsOf: graph1, model: pair.sourceModel))
  /// ```
  ///
  /// The pair is migrated as a program would migrate a store: with a working copy, in which the handlers run.
  ///
  /// - Parameters:
  ///   - stages: The stages of the whole history.
  ///   - source: The name of the source version.
  ///   - destination: The name of the destination version.
  /// - Throws: `Diagnostic` if there is no such version, or if no stages lead from one to the other.
  public init(stages: StagedMigrationManager, from source: String, to destination: String) throws {
    let versions = stages.history.versions
    let (old, new) = (try Self.version(source, of: versions), try Self.version(destination, of: versions))
    self.init(sourceModel: old, destinationModel: new, mappings: [])
    guard let edges = stages.edges(from: old, to: new), !edges.isEmpty else {
      throw Diagnostic(
        .error, code: "test.no-stage", problem: "no stages lead from \(source.quotedName) to \(destination.quotedName)",
        remedy: stages.stages.isEmpty
          ? "pass the stages of the migration; the list is empty"
          : "pass a stage that does; there are stages for "
            + stages.history.edges.map { edge in
              "\(versions[edge.source].title.quotedName) → "
                + versions[edge.destination].title.quotedName
            }.joined(separator: ", "))
    }
    self.stages = stages
  }

  /// Reads the versions of a pair from a file, with stages that lead between them.
  ///
  /// - Parameters:
  ///   - models: The bundle with all versions: an `.xcdatamodeld` or a `.momd`.
  ///   - source: The name of the source version.
  ///   - destination: The name of the destination version.
  ///   - stages: The stages of the whole history.
  /// - Throws: `StagedMigrationError` with all mistakes in the stages; `Diagnostic` if there is no such version, or if no
  ///   stages lead from one to the other.
  public init(models: URL, from source: String, to destination: String, stages: [MigrationStage]) throws {
    let versions = try ModelSource(path: models.relativePath, url: models).validVersions().map(\.model)
    try self.init(
      stages: StagedMigrationManager(stages, versions: versions), from: source, to: destination)
  }

  private static func version(_ name: String, of versions: [ManagedObjectModel]) throws -> ManagedObjectModel {
    guard let version = versions.first(where: { $0.name == name }) else {
      throw Diagnostic(
        .error, code: "test.no-version", problem: "the stages have no version \(name.quotedName)",
        remedy: versions.compactMap(\.name).suggestion(forVersion: name))
    }
    return version
  }

  /// The steps of the stages, in order; empty if mapping models lead from one version to the other.
  var edges: [MigrationHistory.Edge] { stages?.edges(from: sourceModel, to: destinationModel) ?? [] }

  /// True if a handler of a stage may set values that no mapping declares.
  var hasHandlers: Bool { edges.contains { !$0.stage.handlers.isEmpty } }
}
