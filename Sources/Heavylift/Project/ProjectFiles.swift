import Foundation
import HeavyliftMapping
package import HeavyliftModel
import HeavyliftStore
package import HeavyliftXML
import HeavyliftEngine

/// The models, mappings and code of a program's migrations, as its author names them: files are found and read later.
package struct ProjectInput: Sendable {
  /// Paths of models, oldest first, or of one folder that contains the store's model and its mappings somewhere below
  /// it; empty to look next to the mappings or the store.
  package var models: [String]
  /// The folder of mapping files; `nil` to look next to the models, or in the folder that contains them.
  package var mappings: String?
  /// Mapping files that take precedence over all others for their versions, in the order in which they run.
  package var mappingFiles: [String]
  /// The version to migrate to; `nil` for the current version of the last bundle.
  package var version: String?
  package var code: MigrationCode
  package var directory: WorkingDirectory

  /// The files of a program that passes URLs.
  init(models: URL, mappings: URL?, code: MigrationCode) {
    let directory = WorkingDirectory.ofProcess
    let path = mappings.map(directory.path)
    var isFolder = ObjCBool(false)
    let isFile =
      mappings.map { FileManager.default.fileExists(atPath: $0.path, isDirectory: &isFolder) && !isFolder.boolValue }
      ?? false
    self.init(
      models: [directory.path(models)], mappings: isFile ? nil : path,
      mappingFiles: isFile ? [path].compactMap(\.self) : [], code: code, directory: directory)
  }

  package init(
    models: [String], mappings: String? = nil, mappingFiles: [String] = [], version: String? = nil,
    code: MigrationCode, directory: WorkingDirectory
  ) {
    self.models = models
    self.mappings = mappings
    self.mappingFiles = mappingFiles
    self.version = version
    self.code = code
    self.directory = directory
  }
}

/// The models and mappings of one store, found among those of a program.
package struct ProjectFiles: Sendable {
  /// The models, read or not.
  package enum Models: Sendable {
    case candidates(ModelCandidates)
    /// The only bundle, of which the versions that the store needs are read later.
    case bundle(ModelVersions, path: String, found: ModelPaths)
  }

  package let models: Models
  package let mappings: ProjectMappings
  /// The version to migrate to.
  package let target: ManagedObjectModel
  private let input: ProjectInput
  private let store: String

  /// - Parameters:
  ///   - store: The store's path.
  ///   - readsAllVersions: True to read all models and identify the store's version now. Otherwise, a plan reads the
  ///     versions that the store needs.
  package init(_ input: ProjectInput, of store: String, readsAllVersions: Bool) throws {
    (self.input, self.store) = (input, store)
    let (code, directory) = (input.code, input.directory)
    let paths = try Self.paths(input, store)
    // Stages need the models of all versions.
    if !readsAllVersions, code.stages.isEmpty, code.stagesByModel.isEmpty, let bundle = paths.onlyBundle(directory),
      let versions = try? ModelVersions(path: bundle.path, url: bundle.url),
      let target = try? Self.target(input, versions)
    {
      models = .bundle(versions, path: bundle.path, found: paths)
      mappings = try Self.mappings(input, paths.folder, [bundle.path])
      self.target = target
      return
    }
    let found = try ModelCandidates(paths, directory)
    let files = try Self.mappings(input, paths.folder, found.sources.map(\.path))
    let candidates = try found.ofStore(store, mappings: files.search.candidates, directory)
    models = .candidates(candidates)
    mappings = try files.of(candidates)
    target = try Self.target(input, candidates)
  }

  /// The manager for the store.
  package func manager(infersMissingMappings: Bool, allowsJumps: Bool) throws -> IncrementalMigrationManager {
    switch models {
    case .bundle(let versions, _, _):
      return IncrementalMigrationManager(
        versions: versions, mappings: mappings.search, infersMissingMappings: infersMissingMappings,
        allowsJumps: allowsJumps, code: input.code)
    case .candidates(let candidates):
      let stages = input.code.stages(forModelsAt: candidates.sources.map(\.path), versions: candidates.models)
      guard !stages.isEmpty else {
        return IncrementalMigrationManager(
          models: candidates.models, mappings: mappings.search, infersMissingMappings: infersMissingMappings,
          allowsJumps: allowsJumps, code: input.code)
      }
      return IncrementalMigrationManager(
        stages: try StagedMigrationManager(stages, versions: candidates.models), mappings: mappings.search,
        infersMissingMappings: infersMissingMappings, allowsJumps: allowsJumps, code: input.code)
    }
  }

  /// Throws if it is not certain that the models are the store's, although there is a plan.
  package func verify(_ plan: IncrementalMigrationPlan?) throws {
    guard case .bundle(_, _, let found) = models, plan?.evidence != .versionHashes else { return }
    _ = try ModelCandidates(found, input.directory)
      .ofStore(store, mappings: mappings.search.candidates, input.directory)
  }

  /// The path of the model, if it was found in a folder or among others.
  package var foundModel: String? {
    switch models {
    case .candidates(let candidates):
      candidates.folder == nil && candidates.others.isEmpty && candidates.copies.isEmpty
        ? nil : candidates.sources.last?.path
    case .bundle(_, let path, let found): found.folder == nil ? nil : path
    }
  }

  /// Returns the models at the paths, whichever store they are of.
  static func models(_ input: ProjectInput) throws -> [ManagedObjectModel] {
    try ModelCandidates(input.models, input.directory).models
  }

  /// Returns the newest version of the only model at the paths, for a store that does not exist yet.
  static func newestModel(_ input: ProjectInput) throws -> ManagedObjectModel {
    let candidates = try ModelCandidates(input.models, input.directory)
    guard candidates.sources.count == 1 else {
      throw Diagnostic(
        .error, code: "model-file.several-models",
        problem: candidates.sources.isEmpty
          ? "there is no model in \(input.models.quotedPaths)"
          : "there are several models: \(candidates.sources.map(\.path).quotedPaths)",
        remedy: "specify the model of the new store")
    }
    return try target(input, candidates)
  }

  // MARK: Finding

  private static func paths(_ input: ProjectInput, _ store: String) throws -> ModelPaths {
    if !input.models.isEmpty { return try ModelPaths(input.models, input.directory) }
    let places = [input.mappings.map { ($0 as NSString).appendingPathComponent("x") }, store].compactMap(\.self)
    let found = places.lazy.map { ModelPaths.models(beside: $0, input.directory) }.first { !$0.isEmpty } ?? []
    guard !found.isEmpty else {
      throw Diagnostic(
        .error, code: "migration.no-models",
        problem: "no models were given for store '\(store)', and there are none next to it",
        remedy: "specify them with --model, oldest version first, or the folder that contains them")
    }
    return ModelPaths(besideStore: found)
  }

  private static func mappings(
    _ input: ProjectInput, _ project: ProjectFolder?, _ models: [String]
  ) throws -> ProjectMappings {
    try ProjectMappings(
      folder: input.mappings, project: project, beside: models, chosen: input.mappingFiles, input.directory)
  }

  /// Returns the version to migrate to: the one that the user named, or else the current version of the last bundle,
  /// which programs use even if there is a newer one, or else the last version.
  private static func target(_ input: ProjectInput, _ candidates: ModelCandidates) throws -> ManagedObjectModel {
    let versions = candidates.sources.flatMap(\.versions)
    guard let name = input.version else {
      if let last = candidates.sources.last,
        let current = last.versions.first(where: { $0.name == last.currentVersionName })
      {
        return current.model
      }
      guard let last = versions.last else {
        throw Diagnostic(
          .error, code: "migration.no-models", problem: "the given models contain no version",
          remedy: "give others with --model")
      }
      return last.model
    }
    let named = versions.filter { $0.name == name }
    guard let first = named.first else {
      throw Diagnostic(
        .error, code: "model-file.unknown-version", problem: "no model has a version '\(name)'",
        remedy: versions.map(\.name).suggestion(forVersion: name))
    }
    guard named.allSatisfy({ $0.model.versionHashes == first.model.versionHashes }) else {
      throw Diagnostic(
        .error, code: "model-file.several-versions", problem: "several models have a version '\(name)'",
        remedy: "use --model to specify which one you mean")
    }
    return first.model
  }

  /// Returns the version of a bundle to migrate to; `nil` if there is none with the name that the user gave.
  private static func target(_ input: ProjectInput, _ versions: ModelVersions) throws -> ManagedObjectModel? {
    let version = input.version.map { name in versions.versions.first { $0.name == name } } ?? versions.target
    return try version?.model()
  }
}

extension Diagnostic {
  /// Does something whose diagnostics name the tool's options, and throws them with the parameters of
  /// `IncrementalMigrationManager` instead.
  static func inWordsOfCode<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as Diagnostic {
      throw error.inWordsOfCode
    } catch let list as DiagnosticList {
      throw DiagnosticList(list.diagnostics.map(\.inWordsOfCode))
    }
  }

  private var inWordsOfCode: Diagnostic {
    var diagnostic = self
    // The longer option first: one begins with the other.
    let words = [
      ("--mappings", "'mappings'"), ("--mapping", "'mappings'"), ("--model", "'models'"), ("--version", "'to'"),
    ]
    for (option, parameter) in words { diagnostic.remedy = diagnostic.remedy?.replacing(option, with: parameter) }
    return diagnostic
  }
}
