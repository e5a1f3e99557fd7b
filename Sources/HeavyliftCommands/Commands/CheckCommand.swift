import Heavylift
import HeavyliftMapping
import HeavyliftModel
import HeavyliftXML

/// `heavylift check FILE…`: reports every mistake in mappings and in all versions of models.
package struct CheckCommand: Command {
  package static let description = CommandDescription(
    name: "check", abstract: "Check object models and mappings for mistakes",
    discussion: """
      Reports all mistakes in one run, each with its location, a stable code and how to fix it. Checks every version \
      in a model bundle. An error is something that Xcode's compiler or Core Data rejects, or that silently loses \
      data. A warning is about something that they accept but that may surprise you. A note is for information only.

      A mapping is checked against the two models that it names. 'check' looks for them in the mapping's folder and \
      its parent folder, or in the paths given with --model, or in the whole folder if you pass one. Several mapping \
      files for the same two models run as passes that fill one store if each has pass="…"; a later pass may refer to \
      the entity mappings of earlier ones. Policies and functions are checked only by a tool that registers some (see 'heavylift migrate --help').

      With --stages, the given models are the versions, oldest first, and the tool's stages (see 'Staged migrations' in \
      the documentation) must lead from each version to the next. 'check' lists the steps, and reports those that no \
      mapping can be inferred for.

      Exits with 0 if there are no errors and with 2 if there are any; a file that is damaged, or is neither a model \
      nor a mapping, counts as an error. Exits with 1 if a file or folder does not exist or cannot be read, and so was \
      not checked.
      """,
    arguments: [
      .init(
        "FILE",
        help:
          "A model (.xcdatamodeld, .xcdatamodel, contents, .momd, .mom), a mapping (.xml, .xcmappingmodel, .cdm), or a "
          + "folder that contains models and mappings, such as an Xcode project.",
        isRepeatable: true)
    ],
    options: MappingOptions.options + [
      .init(flag: "stages", help: "Check the stages of this tool against the models, and list them."),
      .init(flag: "strict", help: "Treat warnings as errors."),
    ],
    examples: [
      .init("check Library.xcdatamodeld", "Checks every version of the model."),
      .init("check MappingModels/Music/*.xml", "Checks mapping files against the models next to them."),
      .init("check MyApp", "Checks every model and mapping in a project."),
      .init("check --json *.xcdatamodeld", "Checks several models, for scripts."),
    ])

  /// The paths of the models and mappings, or of folders that contain them.
  package var files: [String]
  /// The locations of the mappings' models, and the versions to use.
  package var mappingOptions: MappingOptions
  /// True to treat warnings as errors.
  package var isStrict: Bool
  /// True to check the tool's stages against the models.
  package var checksStages: Bool
  package var writesJSON: Bool

  /// Creates the command.
  package init(
    files: [String], mappingOptions: MappingOptions = MappingOptions(), isStrict: Bool = false,
    checksStages: Bool = false, writesJSON: Bool = false
  ) {
    self.checksStages = checksStages
    self.files = files
    self.mappingOptions = mappingOptions
    self.isStrict = isStrict
    self.writesJSON = writesJSON
  }

  package init(_ arguments: ParsedArguments) throws(UsageError) {
    self.init(
      files: arguments.values(ofArgument: "FILE"), mappingOptions: MappingOptions(arguments),
      isStrict: arguments.has("strict"), checksStages: arguments.has("stages"), writesJSON: arguments.has("json"))
  }

  package func run(_ io: CommandIO) throws -> ExitCode {
    var findings = FindingList()
    var mappings: [CheckedPasses.File] = []
    // The findings of each file; `nil` marks mappings, which are checked after all files have been read.
    var found: [[(name: String, diagnostic: Diagnostic)]?] = []
    var contents: [(path: String, project: String?)] = []
    let models = ModelSources(io)
    let display = ProgressDisplay(io, mode: io.drawsProgress && !writesJSON ? .bar : .none)
    defer { display.finish() }
    for file in files {
      do {
        contents += try Self.contents(file, io)
      } catch {
        found.append(ErrorReport(error).diagnostics.map { (file, $0) })
      }
    }
    for (place, (file, project)) in contents.enumerated() {
      display.show("reading \(file.shown)", place, of: contents.count)
      // A file that cannot be read is a finding like any other: check the remaining files anyway.
      do {
        guard let mapping = try mapping(file, io) else {
          found.append(try check(models.source(file)))
          continue
        }
        do {
          mappings.append(
            CheckedPasses.File(name: file, source: mapping, models: try self.models(of: mapping, in: project, models)))
          found.append(nil)
        } catch {
          found.append((mapping.diagnostics + ErrorReport(error).diagnostics).map { (file, $0) })
        }
      } catch {
        found.append(ErrorReport(error).diagnostics.map { (file, $0) })
      }
    }
    var neighbors: [String: [MappingCandidate]] = [:]
    var passes = CheckedPasses(mappings) { file in
      let folder = file.source.path.deletingLastPathComponent
      let known = neighbors[folder] ?? (try? MappingFolder(contentsOf: io.url(folder), file: folder))?.candidates ?? []
      neighbors[folder] = known
      return known
    }
    var (checked, checkedCount) = (passes.files.makeIterator(), 0)
    for known in found {
      if let known {
        findings.add(known.map { ($0.name, $0.diagnostic) })
      } else if let file = checked.next() {
        display.show("checking \(file.name.shown)", checkedCount, of: mappings.count)
        checkedCount += 1
        findings.add(check(file, &passes, io) + passes.mistakes[file.name, default: []], about: file.name)
      }
    }
    display.finish()
    let stages = checksStages ? StageCheck(files, io) : nil
    if let stages { findings.add(stages.diagnostics, about: "the stages") }
    if let stages, !writesJSON, !stages.lines.isEmpty { try io.write(lines: stages.lines) }
    try findings.write(to: io, asJSON: writesJSON, additions: stages.map { [("stages", $0.json)] } ?? [])
    // A file that cannot be read was not checked, so the command failed.
    if findings.hasUnreadable { return .failure }
    return findings.has(.error) || (isStrict && findings.has(.warning)) ? .negative : .success
  }

  /// Returns the models and mappings in a folder, each with the folder's path; otherwise the path itself.
  private static func contents(_ path: String, _ io: CommandIO) throws -> [(path: String, project: String?)] {
    guard let folder = try ProjectFolder(path, io.directory, needsModels: false) else { return [(path, nil)] }
    return (folder.models + folder.mappings).map { ($0, folder.models.isEmpty ? nil : folder.path) }
  }

  private func models(
    of mapping: MappingSource, in project: String?, _ sources: ModelSources
  ) throws -> MappedModels {
    guard let project, mappingOptions.models.isEmpty else { return try mappingOptions.models(of: mapping, sources) }
    // The models next to the mapping count first, but the project's are newer than those that the file contains.
    let found = try? mappingOptions.models(of: mapping, sources)
    if let found, !found.areEmbedded { return found }
    var options = mappingOptions
    options.models = [project]
    do {
      return try options.models(of: mapping, sources)
    } catch {
      if let found { return found }
      throw error
    }
  }

  private func mapping(_ path: String, _ io: CommandIO) throws -> MappingSource? {
    try MappingSource.kind(path, io.url(path)) == nil ? nil : MappingSource(path: path, url: io.url(path))
  }

  /// Codes of mistakes about names in the file that do not exist in the models: reported even if the file has other
  /// mistakes. Names missing from the file are not reported in that case, because they may simply be misspelled.
  private static let codesOfWrittenNames: Set<String> = [
    "mapping.unknown-entity", "mapping.unknown-property", "expression.unknown-key", "mapping.swapped-models",
  ]

  /// Returns the mistakes in a mapping, without those that only follow from mistakes in its file.
  private func check(_ file: CheckedPasses.File, _ passes: inout CheckedPasses, _ io: CommandIO) -> [Diagnostic] {
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
      : read + file.models.notes + found + unknownPolicies(in: mapping, io)
        + io.code.functionMistakes(for: mapping.mappingModel)
  }

  /// Returns a note about the mapping's policies if no code is registered in this tool, which then cannot know which
  /// policies exist.
  private func unknownPolicies(in mapping: MappingSource, _ io: CommandIO) -> [Diagnostic] {
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

  private func check(_ source: ModelSource) -> [(name: String, diagnostic: Diagnostic)] {
    let path = source.path
    return source.diagnostics.map { (path, $0) }
      + source.versions.flatMap { version in
        let name = source.versions.count > 1 ? "\(path), version '\(version.name)'" : path
        return version.model.check().map { (name, $0) }
      }
  }
}
