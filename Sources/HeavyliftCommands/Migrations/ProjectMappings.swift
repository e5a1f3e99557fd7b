import Foundation
import Heavylift
import HeavyliftMapping
import HeavyliftModel

/// The mapping files of a migration: those in a folder, and those named individually.
struct ProjectMappings {
  let search: MappingSearch
  private let folderPath: String
  /// The names of the chosen files among the candidates.
  private let chosen: [String]
  /// The chosen files that are not in the folder.
  private let others: Set<String>

  /// - Parameters:
  ///   - given: The folder that the user named; `nil` to look next to the models, or in the folder in which they were
  ///     found.
  ///   - files: The files that take precedence over all others for their versions.
  init(folder given: String?, of models: ModelCandidates, chosen files: [String], _ io: CommandIO) throws {
    if let given, ModelReport.isModel(given) {
      throw Diagnostic(
        .error, code: "mapping-file.not-a-mapping", problem: "'\(given)' is a model, not a folder of mapping files",
        remedy: "specify it with --model; mapping files next to it are found without --mappings")
    }
    let project = given == nil ? models.folder : nil
    // In a project, a candidate's name is its path.
    folderPath = project == nil ? given ?? Self.folder(beside: models.sources.map(\.path), io) : ""
    let shownFolder = project?.path ?? (folderPath.isEmpty ? "." : folderPath)
    var candidates: [MappingCandidate] = []
    do {
      candidates =
        try project.map { MappingFolder($0.mappings.map { ($0, io.url($0)) }, below: $0.path).candidates }
        ?? MappingFolder(contentsOf: io.url(folderPath), file: shownFolder).candidates
    } catch {
      // A missing folder is an error only if the user named it.
      if given != nil { throw error }
    }
    let folder = io.url(folderPath).standardizedFileURL.path
    var (chosen, others) = ([String](), Set<String>())
    for file in files {
      let url = io.url(file).standardizedFileURL
      let isThere = FileManager.default.fileExists(atPath: url.path)
      let isInFolder = url.deletingLastPathComponent().path == folder || !isThere
      let inside =
        project == nil
        ? candidates.first { isInFolder && $0.file == url.lastPathComponent }
        : candidates.first { io.url($0.file).standardizedFileURL == url }
      if let inside {
        chosen.append(inside.file)
        continue
      }
      // A file elsewhere may have the same name as one in the folder.
      let name = candidates.contains { $0.file == file } ? "./\(file)" : file
      candidates.append(try MappingSource(path: file, url: url).candidate(named: name))
      chosen.append(name)
      others.insert(name)
    }
    if project != nil {
      candidates = try candidates.filter { try chosen.contains($0.file) || Self.isOfModel($0, models) }
    }
    search = try MappingSearch(candidates, in: shownFolder.quotedName).choosing(chosen)
    (self.chosen, self.others) = (chosen, others)
  }

  /// False for a mapping file of a project that is for another of its models.
  ///
  /// - Throws: `Diagnostic` if the file may be for either.
  private static func isOfModel(_ candidate: MappingCandidate, _ models: ModelCandidates) throws -> Bool {
    guard let model = models.sources.first, candidate.mappingModel != nil else { return true }
    let rivals = models.others.filter(candidate.mayBeFor)
    guard !rivals.isEmpty else { return true }
    guard candidate.mayBeFor(model) else { return false }
    // Hashes and checksums identify the versions, names do not.
    if candidate.identifiesVersions { return true }
    let folder = candidate.file.deletingLastPathComponent
    let beside = ([model] + rivals).filter { $0.path.deletingLastPathComponent == folder }
    if beside.count == 1 { return beside[0].path == model.path }
    throw Diagnostic(
      .error, code: "mapping.several-models",
      problem: "'\(candidate.file)' may be for several models: \(([model] + rivals).map(\.path).quotedList)",
      remedy: "move it next to its model, or specify the folder of the store's mapping files with --mappings")
  }

  /// The path of a candidate's file, for messages.
  func path(of file: String) -> String {
    others.contains(file) || folderPath.isEmpty ? file : "\(folderPath)/\(file)"
  }

  /// Returns diagnostics about the chosen files that no hop uses.
  func unused(by plan: IncrementalMigrationPlan) -> [Diagnostic] {
    let used = Set(
      plan.hops.flatMap { hop -> [String] in
        if case .files(let names) = hop.origin { names } else { [] }
      })
    return chosen.filter { !used.contains($0) }.map { file in
      Diagnostic(
        .error, code: "migration.unused-mapping",
        problem: "no hop from \(plan.versionTitle) to \((plan.destinationModel.name ?? "unnamed").quotedName) uses "
          + "\(path(of: file).quotedName), which --mapping names",
        remedy: "remove it, or run 'heavylift check' to see which models it is for")
    }
  }

  /// The folder of the first model that has mapping files next to it, or else of the first model.
  private static func folder(beside models: [String], _ io: CommandIO) -> String {
    let folders = models.map(\.deletingLastPathComponent)
    let found = folders.first { folder in
      let names = (try? FileManager.default.contentsOfDirectory(atPath: io.url(folder).path)) ?? []
      return names.contains { ["xml", "xcmappingmodel", "cdm"].contains(($0 as NSString).pathExtension) }
    }
    return found ?? folders.first ?? ""
  }
}

extension MappingCandidate {
  /// True if the file contains more than names of its versions.
  fileprivate var identifiesVersions: Bool {
    kind != .written || mappingModel?.source.checksum != nil && mappingModel?.destination.checksum != nil
  }

  /// True if nothing in the file says that it is for versions of another model.
  fileprivate func mayBeFor(_ model: ModelSource) -> Bool {
    MappingSide.allCases.allSatisfy { side in
      let hashes = carriedModels[side]?.versionHashes ?? versionHashes[side] ?? [:]
      let reference = side == .source ? mappingModel?.source : mappingModel?.destination
      return model.versions.contains { version in
        if !hashes.isEmpty {
          let own = version.model.versionHashes
          return hashes.allSatisfy { own[$0.key] == $0.value }
        }
        if let checksum = reference?.checksum { return version.model.versionChecksum == checksum }
        return reference?.name.map { $0 == version.name } ?? true
      }
    }
  }
}
