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
    folderPath = given ?? project?.path ?? Self.folder(beside: models.sources.map(\.path), io)
    let shownFolder = folderPath.isEmpty ? "." : folderPath
    var candidates: [MappingCandidate] = []
    do {
      candidates = try MappingFolder(io.url(folderPath), project?.mappings, file: shownFolder).candidates
    } catch {
      // A missing folder is an error only if the user named it.
      if given != nil { throw error }
    }
    let folder = io.url(folderPath).standardizedFileURL.path
    var (chosen, others) = ([String](), Set<String>())
    for file in files {
      let url = io.url(file).standardizedFileURL
      let isThere = FileManager.default.fileExists(atPath: url.path)
      let isInFolder = isThere && url.path.hasPrefix("\(folder)/")
      let inside = isInFolder ? String(url.path.dropFirst(folder.count + 1)) : url.lastPathComponent
      if isInFolder || !isThere, candidates.contains(where: { $0.file == inside }) {
        chosen.append(inside)
        continue
      }
      // A file elsewhere may have the same name as one in the folder.
      let name = candidates.contains { $0.file == file } ? "./\(file)" : file
      candidates.append(try MappingSource(path: file, url: url).candidate(named: name))
      chosen.append(name)
      others.insert(name)
    }
    search = try MappingSearch(candidates, in: shownFolder.quotedName).choosing(chosen)
    (self.chosen, self.others) = (chosen, others)
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
