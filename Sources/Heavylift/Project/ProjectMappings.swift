import Foundation
package import HeavyliftMapping
package import HeavyliftModel
import HeavyliftXML

/// The mapping files of a migration: those in a folder, and those named individually.
package struct ProjectMappings: Sendable {
  package private(set) var search: MappingSearch
  private let folderPath: String
  /// The folder in quotes, for messages.
  private let place: String
  /// The names of the chosen files among the candidates.
  private let chosen: [String]
  /// The chosen files that are not in the folder.
  private let others: Set<String>

  /// Finds the files. Those in a folder are read when the first of them is needed.
  ///
  /// - Parameters:
  ///   - given: The folder that the user named; `nil` to look next to the models, or in the folder in which they were
  ///     found.
  ///   - project: The folder in which the models were found.
  ///   - models: The paths of the models.
  ///   - files: The files that take precedence over all others for their versions.
  package init(
    folder given: String?, project: ProjectFolder?, beside models: [String], chosen files: [String],
    _ directory: WorkingDirectory
  ) throws {
    if let given, ModelSource.isModel(given) {
      throw Diagnostic(
        .error, code: "mapping-file.not-a-mapping", problem: "'\(given)' is a model, not a folder of mapping files",
        remedy: "specify it with --model; mapping files next to it are found without --mappings")
    }
    let project = given == nil ? project : nil
    // In a project, a candidate's name is its path.
    folderPath = project == nil ? given ?? Self.folder(beside: models, directory) : ""
    let shownFolder = project?.path ?? (folderPath.isEmpty ? "." : folderPath)
    var found: MappingSearch?
    do {
      found =
        try project.map { Self.folder(of: $0, chosen: files, directory) }
        ?? MappingFolder(contentsOf: directory.url(folderPath), file: shownFolder).search
    } catch {
      // A missing folder is an error only if the user named it.
      if given != nil || project != nil { throw error }
    }
    let names = found?.files ?? []
    if let given, names.isEmpty { try Self.refuseFilesBelow(given, directory) }
    let folder = directory.url(folderPath).standardizedFileURL.path
    var (chosen, others) = ([String](), [MappingCandidate]())
    for file in files {
      let url = directory.url(file).standardizedFileURL
      let isThere = FileManager.default.fileExists(atPath: url.path)
      let isInFolder = url.deletingLastPathComponent().path == folder || !isThere
      let inside =
        project == nil
        ? names.first { isInFolder && $0 == url.lastPathComponent }
        : names.first { directory.url($0).standardizedFileURL == url }
      if let inside {
        chosen.append(inside)
        continue
      }
      // A file elsewhere may have the same name as one in the folder.
      let name = (names + others.map(\.file)).contains(file) ? "./\(file)" : file
      others.append(try MappingSource(path: file, url: url).candidate(named: name))
      chosen.append(name)
    }
    place = shownFolder.quotedName
    search = try MappingSearch(names + others.map(\.file), in: place) { [found, others] in
      (found?.candidates ?? []) + others
    }.choosing(chosen)
    (self.chosen, self.others) = (chosen, Set(others.map(\.file)))
  }

  /// Returns the mapping files of a project; copies of a file, such as those in a build, count once.
  private static func folder(of project: ProjectFolder, chosen: [String], _ directory: WorkingDirectory)
    -> MappingSearch
  {
    let chosen = Set(chosen.map { directory.url($0).standardizedFileURL })
    let files = project.mappings.map { (path: $0, url: directory.url($0)) }
    // A file that cannot be read is reported with its other mistakes.
    let contents = files.map { file in
      try? Data(
        contentsOf: file.url.pathExtension == "xcmappingmodel" ? file.url.appending(path: "xcmapping.xml") : file.url)
    }
    let isChosen = files.map { chosen.contains($0.url.standardizedFileURL) }
    let kept = files.indices.filter { index in
      guard let content = contents[index], !isChosen[index] else { return true }
      return !files.indices.contains { contents[$0] == content && (isChosen[$0] || $0 < index) }
    }
    return MappingFolder(kept.map { files[$0] }, below: project.path).search
  }

  /// Throws if there are mapping files in the subfolders of a folder, which are not read.
  private static func refuseFilesBelow(_ path: String, _ directory: WorkingDirectory) throws {
    guard let below = try ProjectFolder(path, directory, needsModels: false)?.mappings, !below.isEmpty else { return }
    throw Diagnostic(
      .error, code: "mapping-file.in-subfolder",
      problem: "there are no mapping files in '\(path)', only below it: \(below.quotedPaths)",
      remedy: "specify the folder that contains the store's mapping files")
  }

  /// Returns the mappings without those that are for other models of the project.
  func of(_ models: ModelCandidates) throws -> ProjectMappings {
    guard !models.others.isEmpty else { return self }
    let candidates = try search.candidates.filter { try chosen.contains($0.file) || Self.isOfModel($0, models) }
    var mappings = self
    mappings.search = try MappingSearch(candidates, in: place).choosing(chosen)
    return mappings
  }

  /// False for a mapping file of a project that is for another of its models.
  ///
  /// - Throws: `Diagnostic` if the file may be for either.
  private static func isOfModel(_ candidate: MappingCandidate, _ models: ModelCandidates) throws -> Bool {
    guard candidate.mappingModel != nil else { return true }
    let rivals = models.others.filter { candidate.hasEntities(of: $0.versions) }
    guard !rivals.isEmpty else { return true }
    guard candidate.hasEntities(of: models.sources.flatMap(\.versions)) else { return false }
    // Hashes and checksums identify the versions, names do not.
    if candidate.identifiesVersions { return true }
    let folder = candidate.file.deletingLastPathComponent
    let isBesideModel = (models.sources + models.copies).contains { $0.path.deletingLastPathComponent == folder }
    let isBesideRival = rivals.contains { $0.path.deletingLastPathComponent == folder }
    if isBesideModel != isBesideRival { return isBesideModel }
    throw Diagnostic(
      .error, code: "mapping.several-models",
      problem: "'\(candidate.file)' may be for several models: \((models.sources + rivals).map(\.path).quotedPaths)",
      remedy: "move it next to its model, or specify the folder of the store's mapping files with --mappings")
  }

  /// The path of a candidate's file, for messages.
  package func path(of file: String) -> String {
    others.contains(file) || folderPath.isEmpty ? file : "\(folderPath)/\(file)"
  }

  /// Returns diagnostics about the chosen files that no hop uses.
  package func unused(by plan: IncrementalMigrationPlan) -> [Diagnostic] {
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
  private static func folder(beside models: [String], _ directory: WorkingDirectory) -> String {
    let folders = models.map(\.deletingLastPathComponent)
    let found = folders.first { folder in
      let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.url(folder).path)) ?? []
      return names.contains { ["xml", "xcmappingmodel", "cdm"].contains(($0 as NSString).pathExtension) }
    }
    return found ?? folders.first ?? ""
  }
}
