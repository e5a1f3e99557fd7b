import Heavylift
import HeavyliftMapping
import HeavyliftModel
import HeavyliftXML

/// Reads models and mappings, and finds what is wrong with each of them.
struct ProjectCheck {
  /// The findings about one file, with the files that they depend on.
  struct Part {
    var findings: [(source: String, diagnostic: Diagnostic)]
    /// The paths of the files; one of them without an extension is a folder.
    var files: [String]
  }

  /// The findings, in the order in which the files were given.
  private(set) var parts: [Part] = []
  private(set) var models: [ModelSource] = []
  private(set) var mappings: [MappingSource] = []
  private let options: MappingOptions
  private let io: CommandIO

  init(_ files: [String], _ options: MappingOptions, _ io: CommandIO, showsProgress: Bool) {
    (self.options, self.io) = (options, io)
    let display = ProgressDisplay(io, mode: showsProgress ? .bar : .none)
    defer { display.finish() }
    var contents: [(path: String, project: String?)] = []
    for file in files {
      do {
        contents += try Self.contents(file, io)
      } catch {
        parts.append(Part(findings: ErrorReport(error).diagnostics.map { (file, $0) }, files: [file]))
      }
    }
    check(contents, display)
  }

  /// Returns the models and mappings in a folder, each with the folder's path; otherwise the path itself.
  private static func contents(_ path: String, _ io: CommandIO) throws -> [(path: String, project: String?)] {
    guard let folder = try ProjectFolder(path, io.directory, needsModels: false) else { return [(path, nil)] }
    return (folder.models + folder.mappings).map { ($0, folder.models.isEmpty ? nil : folder.path) }
  }

  private mutating func check(_ contents: [(path: String, project: String?)], _ display: ProgressDisplay) {
    let sources = ModelSources(io)
    var given: [CheckedPasses.File] = []
    // `nil` marks mappings, which are checked after all files have been read.
    var found: [Part?] = []
    for (place, (file, project)) in contents.enumerated() {
      display.show("reading \(file.shown)", place, of: contents.count)
      // A file that cannot be read is a finding like any other: check the remaining files anyway.
      do {
        guard let mapping = try mapping(file) else {
          let model = try sources.source(file)
          models.append(model)
          found += Self.parts(of: model).map(Optional.some)
          continue
        }
        mappings.append(mapping)
        do {
          given.append(
            CheckedPasses.File(name: file, source: mapping, models: try mappedModels(of: mapping, in: project, sources))
          )
          found.append(nil)
        } catch {
          let mistakes = mapping.diagnostics + ErrorReport(error).diagnostics
          // The models that it is for are not known: any of them may be the reason.
          let others = contents.map(\.path).filter(ModelSource.isModel)
          found.append(Part(findings: mistakes.map { (file, $0) }, files: [file] + others))
        }
      } catch {
        found.append(Part(findings: ErrorReport(error).diagnostics.map { (file, $0) }, files: [file]))
      }
    }
    var neighbors: [String: [MappingCandidate]] = [:]
    var passes = CheckedPasses(given) { [io] file in
      let folder = file.source.path.deletingLastPathComponent
      let known = neighbors[folder] ?? (try? MappingFolder(contentsOf: io.url(folder), file: folder))?.candidates ?? []
      neighbors[folder] = known
      return known
    }
    var (checked, checkedCount) = (passes.files.makeIterator(), 0)
    for known in found {
      if let known {
        parts.append(known)
      } else if let file = checked.next() {
        display.show("checking \(file.name.shown)", checkedCount, of: given.count)
        checkedCount += 1
        let mistakes = check(file, &passes) + passes.mistakes[file.name, default: []]
        parts.append(
          Part(findings: mistakes.map { (file.name, $0) }, files: [file.name] + file.models.paths))
      }
    }
  }

  // MARK: Models

  /// A part for what the versions have in common, and one for each version.
  private static func parts(of source: ModelSource) -> [Part] {
    let path = source.path
    guard source.kind == .bundle else {
      let found = source.versions.flatMap { version in
        version.model.check().map { (source.versions.count > 1 ? "\(path), version '\(version.name)'" : path, $0) }
      }
      return [Part(findings: source.diagnostics.map { (path, $0) } + found, files: [path])]
    }
    // A version that cannot be read has findings, too.
    let start = "\(path.withoutTrailingSlashes)/"
    var read: [String: [(source: String, diagnostic: Diagnostic)]] = [:]
    for diagnostic in source.diagnostics {
      let file = diagnostic.location?.file.flatMap { $0.hasPrefix(start) ? $0.dropFirst(start.count) : nil } ?? ""
      let folder = file.split(separator: "/").first.flatMap { $0.hasSuffix(".xcdatamodel") ? String($0) : nil }
      read[folder ?? "", default: []].append((path, diagnostic))
    }
    for version in source.versions {
      let name = source.versions.count > 1 ? "\(path), version '\(version.name)'" : path
      read["\(version.name).xcdatamodel", default: []] += version.model.check().map { (name, $0) }
    }
    return [Part(findings: read[""] ?? [], files: [path])]
      + read.keys.filter { !$0.isEmpty }.sorted { $0.precedesAsCounted($1) }.map { folder in
        Part(findings: read[folder] ?? [], files: [start + folder])
      }
  }

  // MARK: Mappings

  private func mappedModels(
    of mapping: MappingSource, in project: String?, _ sources: ModelSources
  ) throws -> MappedModels {
    guard let project, options.models.isEmpty else { return try options.models(of: mapping, sources) }
    // The models next to the mapping count first, but the project's are newer than those that the file contains.
    let found = try? options.models(of: mapping, sources)
    if let found, !found.areEmbedded { return found }
    var options = options
    options.models = [project]
    do {
      return try options.models(of: mapping, sources)
    } catch {
      if let found { return found }
      throw error
    }
  }

  private func mapping(_ path: String) throws -> MappingSource? {
    try MappingSource.kind(path, io.url(path)) == nil ? nil : MappingSource(path: path, url: io.url(path))
  }

  /// Codes of mistakes about names in the file that do not exist in the models: reported even if the file has other
  /// mistakes. Names missing from the file are not reported in that case, because they may simply be misspelled.
  private static let codesOfWrittenNames: Set<String> = [
    "mapping.unknown-entity", "mapping.unknown-property", "expression.unknown-key", "mapping.swapped-models",
  ]

  /// Returns the mistakes in a mapping, without those that only follow from mistakes in its file.
  private func check(_ file: CheckedPasses.File, _ passes: inout CheckedPasses) -> [Diagnostic] {
    let mapping = file.source
    // A compiled file has no line numbers.
    let environment = io.code.checkEnvironment(
      for: mapping.mappingModel, file: mapping.kind == .compiled ? nil : mapping.path, isComplete: !io.code.isEmpty)
    let found = passes.complete(file).check(environment)
    // Report an empty entity mapping from Xcode only once, with its remedy.
    let idle = Set(found.filter { $0.code == "mapping.missing-side" }.map(\.location))
    let read = mapping.diagnostics.filter { $0.code != "mapping-file.empty-mapping" || !idle.contains($0.location) }
    return read.hasErrors
      ? read + found.filter { Self.codesOfWrittenNames.contains($0.code) }
      : read + file.models.notes + found + unknownPolicies(in: mapping)
        + io.code.functionMistakes(for: mapping.mappingModel)
  }

  /// Returns a note about the mapping's policies if no code is registered in this tool, which then cannot know which
  /// policies exist.
  private func unknownPolicies(in mapping: MappingSource) -> [Diagnostic] {
    let names = Set(mapping.mappingModel.entityMappings.compactMap(\.policyClassName)).sorted()
    guard io.code.isEmpty, !names.isEmpty else { return [] }
    return [
      Diagnostic(
        .note, code: "mapping.unchecked-policy",
        problem: "this tool has no policies, so it cannot know whether \(names.quotedList) "
          + "\(names.count == 1 ? "exists" : "exist")",
        remedy: "to check policies, too, run 'check' in a tool of your own that registers them")
    ]
  }
}

extension ModelSource {
  /// The path of a version: that of its folder in a bundle.
  func path(of version: Version) -> String {
    kind == .bundle ? "\(path.withoutTrailingSlashes)/\(version.name).xcdatamodel" : path
  }
}

extension MappedModels {
  /// The paths of the models, as far as they are not in the mapping's own file.
  fileprivate var paths: [String] {
    [source, destination].compactMap { side in
      side.path.map { path in
        path.hasSuffix(".xcdatamodeld") ? "\(path)/\(side.name).xcdatamodel" : path.withoutTrailingSlashes
      }
    }
  }
}
