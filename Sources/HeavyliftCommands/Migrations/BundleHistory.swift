import Foundation
import Heavylift
import HeavyliftMapping
import HeavyliftModel
import HeavyliftXML

/// The versions of one bundle, oldest first, and the mapping files that lead from one to another.
struct BundleHistory {
  let source: ModelSource
  /// The mapping files.
  let search: MappingSearch
  private let mappings: ProjectMappings

  /// - Parameters:
  ///   - folder: The folder of the mapping files; `nil` to look next to the bundle.
  ///   - output: A mapping file to ignore, because it will be written again.
  /// - Throws: `DiagnosticList` or `Diagnostic` if a model or a mapping file cannot be read: it may be one that is needed.
  init(_ path: String, mappings folder: String?, without output: String? = nil, _ io: CommandIO) throws {
    let candidates = try ModelCandidates([path], io.directory)
    guard candidates.sources.count == 1, let source = candidates.sources.first else {
      throw Diagnostic(
        .error, code: "model-file.several-models",
        problem: "'\(path)' contains \(candidates.sources.count) models: \(candidates.sources.map(\.path).quotedPaths)",
        remedy: "specify one of them")
    }
    let mappings = try ProjectMappings(
      folder: folder, project: candidates.folder, beside: [source.path], chosen: [], io.directory)
    (self.source, self.mappings) = (source, mappings)
    let ignored = output.map { io.url($0).standardizedFileURL }
    let files = mappings.search.candidates.filter { io.url(mappings.path(of: $0.file)).standardizedFileURL != ignored }
    let unreadable = files.filter { $0.mappingModel == nil }
    guard unreadable.isEmpty else { throw DiagnosticList(unreadable.flatMap(\.diagnostics)) }
    search = MappingSearch(files, in: (folder ?? (path as NSString).deletingLastPathComponent).quotedName)
  }

  var versions: [ModelSource.Version] { source.versions }
  var models: [ManagedObjectModel] { source.versions.map(\.model) }

  /// The path of a mapping file, for messages.
  func path(of file: String) -> String { mappings.path(of: file) }

  /// Returns the version with that name; `nil` without a name.
  func version(named name: String?) throws -> ModelSource.Version? {
    try name.map { try source.version(named: $0) }
  }

  /// The stages that the tool registers for the bundle; `nil` if there are none.
  func stages(_ io: CommandIO) throws -> StagedMigrationManager? {
    let stages = io.code.stages(forModelsAt: [source.path], versions: models)
    return stages.isEmpty ? nil : try StagedMigrationManager(stages, versions: models)
  }

  /// The manager that migrates hop by hop.
  func manager(_ code: MigrationCode, _ io: CommandIO) throws -> IncrementalMigrationManager {
    IncrementalMigrationManager(inferring: models, search, try stages(io), code)
  }
}

extension IncrementalMigrationManager {
  /// Creates a manager that infers missing mappings, for versions with or without stages.
  init(
    inferring models: [ManagedObjectModel], _ mappings: MappingSearch, _ stages: StagedMigrationManager?,
    _ code: MigrationCode
  ) {
    self =
      stages.map {
        IncrementalMigrationManager(stages: $0, mappings: mappings, infersMissingMappings: true, code: code)
      }
      ?? IncrementalMigrationManager(models: models, mappings: mappings, infersMissingMappings: true, code: code)
  }
}
